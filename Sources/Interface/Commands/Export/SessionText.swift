import ByteText
import HealthVault
import SystemIO
import Wording

/// Descriptions of sessions.
enum SessionText {
    static func table(_ sessions: [ExportRecords.Listed]) -> TerminalText {
        guard !sessions.isEmpty else { return "no sessions" }
        var table = TextTable([.left, .left, .left, .right, .left, .left])
        let titles: [TerminalText] = ["session", "started", "state", "progress", "source", "output"]
        let rows = sessions.map { session -> [TerminalText] in
            let record = session.record
            let samples = record.samples.map { Quantities.count($0, "sample") }
            return [
                "\(record.identifier)",
                "\(minute(record.created))",
                "\(phase(session))", (record.isComplete ? samples : keptSize(record)) ?? "",
                "\(record.source)", "\(record.newest)",
            ]
        }
        return .lines(table.lines([titles] + rows))
    }

    /// Returns the size of the session's unfinished archive; nil if it has none that can be read.
    static func keptSize(_ record: ExportRecord) -> TerminalText? {
        guard record.isEncrypted, let path = unfinished(record),
            let size = try? VolumeFile(opening: path, .read).size()
        else { return nil }
        return "\(Quantities.bytes(size)) kept"
    }

    static func details(_ session: ExportRecords.Listed, _ contents: SessionContents?) -> TerminalText {
        let record = session.record
        var lines: [TerminalText] = [
            "session \(record.identifier): \(phase(session))",
            "source: \(record.source)",
            "output: \(record.target), \(record.isEncrypted ? "encrypted" : "unencrypted")",
        ]
        if let name = record.destination { lines.append("destination: \(name)") }
        lines += record.further.map { path in
            let isThere = (try? FileStatus(at: path, followingLinks: false)) != nil
            return "continued by: \(path)\(isThere ? "" : " (missing)")"
        }
        lines += [
            "batches: \(record.batching.description)",
            "started: \(time(record.created)), updated: \(time(record.updated))",
        ]
        if let contents { lines += SessionContentsText(contents: contents).lines }
        if let samples = record.samples, contents?.report == nil {
            lines.append(Quantities.count(samples, "sample"))
        }
        if let size = record.size { lines.append(Quantities.bytes(size)) }
        if let path = unfinished(record) {
            lines.append("unfinished: \(path)")
            if !session.isInUse {
                lines.append("resume with: healthvault session resume \(record.identifier)")
            }
        }
        return .lines(lines)
    }

    static func json(_ sessions: [ExportRecords.Listed]) -> String {
        var writer = JSONWriter()
        writer.object { writer in
            writer.key("sessions")
            writer.array { writer in
                for session in sessions { write(session, nil, &writer) }
            }
        }
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    static func json(_ session: ExportRecords.Listed, _ contents: SessionContents? = nil) -> String {
        var writer = JSONWriter()
        write(session, contents, &writer)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    private static func write(
        _ session: ExportRecords.Listed, _ contents: SessionContents?, _ writer: inout JSONWriter
    ) {
        let record = session.record
        writer.object { writer in
            writer.member("id", record.identifier.text)
            writer.member("named", record.isNamed)
            writer.member("phase", phaseName(session))
            writer.member("source", record.source)
            writer.member("path", record.target)
            writer.member("further", record.further)
            writer.member("encrypted", record.isEncrypted)
            writer.member("batching", record.batching.description)
            if let name = record.destination { writer.member("destination", name) }
            writer.member("created", utc(record.created))
            writer.member("updated", utc(record.updated))
            if let samples = record.samples { writer.member("samples", samples) }
            if let size = record.size { writer.member("bytes", size) }
            if let path = unfinished(record) { writer.member("unfinished", path) }
            if let contents { SessionContentsText(contents: contents).write(&writer) }
        }
    }

    private static func phase(_ session: ExportRecords.Listed) -> String {
        switch phaseName(session) {
        case "completedWithFailures": "completed with failures"
        case let name: name
        }
    }

    /// Returns the phase; a running export without a process was interrupted before it could record that.
    private static func phaseName(_ session: ExportRecords.Listed) -> String {
        session.record.phase == .running && !session.isInUse ? "interrupted" : session.record.phase.rawValue
    }

    static func unfinished(_ record: ExportRecord) -> BytePath? {
        UnfinishedOutput.path(ofTarget: record.output, isEncrypted: record.isEncrypted)
    }

    private static func time(_ seconds: Int) -> String {
        let offset = SystemClock.localOffsetMinutes(at: seconds)
        return Timestamp(seconds: seconds, offsetMinutes: offset).iso
    }

    /// Returns a time without its seconds and offset: `2024-05-01 08:15`.
    private static func minute(_ seconds: Int) -> String {
        let text = time(seconds)
        return "\(text.prefix(10)) \(text.dropFirst(11).prefix(5))"
    }

    private static func utc(_ seconds: Int) -> String {
        Timestamp(seconds: seconds, offsetMinutes: 0).utc
    }
}
