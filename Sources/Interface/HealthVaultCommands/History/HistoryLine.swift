import CivilTime
import CommandOptions
import CommandOutput
import HealthVault
import JSONText
import SystemIO
import Wording

/// A line of the history.
struct HistoryLine {
    var record: HistoryRecord
    let place: OutputPlaces.Place
    /// Whether the file was found intact; nil if it was not checked.
    var isWhole: Bool?

    private var result: TerminalText {
        switch record.result {
        case .done: "done"
        case .incomplete: "incomplete"
        case .unverified: "not verified"
        case .nothingNew: "nothing new"
        case .failed: "failed"
        }
    }

    private var state: TerminalText {
        if isWhole == true { return "intact" }
        if isWhole == false { return "DAMAGED" }
        return switch place {
        case .there: "present"
        case .damaged: "DAMAGED"
        case .missing: "missing"
        case .away: "not connected"
        case .pruned: "removed"
        case .none: ""
        }
    }

    private var time: TerminalText {
        let offset = SystemClock.localOffsetMinutes(at: record.began)
        let text = Timestamp(seconds: record.began, offsetMinutes: offset).iso
        return "\(String(text.prefix(10))) \(String(text.dropFirst(11).prefix(5)))"
    }

    private var file: TerminalText {
        if let path = record.path { return "\(path.name)" }
        return record.reason.map { "\($0)" } ?? ""
    }

    static func table(_ lines: [HistoryLine]) -> TerminalText {
        // The names of files matter more than what the narrowest columns say.
        var table = TextTable(
            [.left, .left, .left, .right, .right, .right, .left, .left, .left], optional: [2, 3, 4, 5])
        let rows = lines.map { line -> [TerminalText] in
            let record = line.record
            let hasOutput = record.path != nil
            return [
                line.time, "\(record.destination)", "\(record.format)",
                hasOutput ? Quantities.count(record.samples) : "",
                hasOutput ? Quantities.bytes(record.size) : "",
                Quantities.seconds(record.seconds), line.result, line.state, line.file,
            ]
        }
        let titles: [TerminalText] = [
            "date", "destination", "format", "samples", "size", "time", "result", "file", "",
        ]
        return .lines(table.lines([titles] + rows))
    }

    static func json(_ lines: [HistoryLine]) -> String {
        var writer = JSONWriter()
        writer.object { writer in
            writer.key("runs")
            writer.array { writer in
                for line in lines { line.write(&writer) }
            }
        }
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    private func write(_ writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("began", Timestamp(seconds: record.began, offsetMinutes: 0).utc)
            writer.key("seconds")
            writer.decimal(record.seconds, digits: 3)
            writer.member("destination", record.destination)
            writer.member("scheduled", record.isScheduled)
            writer.member("format", record.format)
            writer.member("result", record.result.rawValue)
            if let reason = record.reason { writer.member("reason", reason) }
            if let path = record.path { writer.member("path", path) }
            writer.member("samples", record.samples)
            writer.member("bytes", record.size)
            if record.path != nil { writer.member("file", state.text) }
            if let isWhole { writer.member("intact", isWhole) }
        }
    }
}
