import ByteText
package import HealthVault
package import SystemIO
import VaultContainer
import Wording

/// The report at the end of an export.
package struct ExportReport {
    let summary: Exporter.Summary
    let source: BytePath
    let target: BytePath
    let isEncrypted: Bool
    /// The archives that the new one continues, the newest first.
    let continues: [BytePath]
    /// The name of the session that wrote it.
    let session: BulkExportSessionIdentifier?
    /// Whether a damaged source was accepted, of which no part is exported again.
    let acceptsDamage: Bool

    /// Creates the report.
    package init(
        summary: Exporter.Summary, source: BytePath, target: BytePath, isEncrypted: Bool,
        continues: [BytePath] = [], session: BulkExportSessionIdentifier?, acceptsDamage: Bool
    ) {
        self.summary = summary
        self.source = source
        self.target = target
        self.isEncrypted = isEncrypted
        self.continues = continues
        self.session = session
        self.acceptsDamage = acceptsDamage
    }

    private var manifest: Manifest { summary.manifest }

    package var text: TerminalText {
        let samples = Quantities.count(manifest.sampleCount, "sample")
        var line: TerminalText = "\(samples) of \(Quantities.count(manifest.typeCount, "type"))"
        if let rule = try? manifest.days(),
            let days = Inspector.days(of: Inspector.summaries(of: manifest), by: rule)
        {
            line += ", \(Quantities.days(days))"
        }
        var lines = [line]
        if !manifest.files.isEmpty {
            let length = manifest.files.total(\.length)
            lines.append(
                "\(Quantities.count(manifest.files.count, "side file")), \(Quantities.bytes(length))")
        }
        var size = Quantities.bytes(summary.targetSize)
        // Unencrypted files are always much larger than the zip.
        if summary.sourceSize > 0, isEncrypted {
            let share = Int((100 * Double(summary.targetSize) / Double(summary.sourceSize)).rounded())
            size += " from \(Quantities.bytes(summary.sourceSize)) (\(share) %)"
        }
        lines.append("\(size) in \(Quantities.seconds(summary.seconds))")
        if summary.resumedSize > 0 {
            let resumed = Quantities.bytes(summary.resumedSize)
            lines.append("resumed: \(resumed) kept from the interrupted export")
        }
        lines += SourceWarningText.oddities(manifest, of: source)
        return .lines(lines + lacking + ending)
    }

    /// The lines about where the export is and how to open it.
    private var ending: [TerminalText] {
        guard isEncrypted else { return ["written unencrypted: \(target)"] }
        let quoted = ShellQuoting.quote(VolumeText.start(target))
        guard let predecessor = continues.first else {
            return [
                "encrypted: \(VolumeText.describe(target))",
                "open it: healthvault decrypt \(quoted) -o FOLDER",
                "add a second passphrase for emergencies: healthvault passphrase add \(quoted) --generate-passphrase",
            ]
        }
        var lines: [TerminalText] = [
            "encrypted what failed before: \(VolumeText.describe(target))",
            "continues \(predecessor): keep both in one folder",
        ]
        if let header = try? CleartextHeader(of: predecessor), header.slots.count > 1 {
            lines.append(
                "only the passphrase just used opens it; add the others of \(predecessor) with: "
                    + "healthvault passphrase add \(quoted)")
        }
        return lines + ["open both as one: healthvault decrypt \(quoted) -o FOLDER"]
    }

    /// The lines about what is missing and how to get it; empty if nothing is.
    package var lacking: [TerminalText] {
        var lines = SourceWarningText.lacking(manifest)
        lines += FailedBatchText.describe(manifest.failedBatches)
        if let session, manifest.isMendable {
            lines.append(Self.remedy(session, acceptsDamage: acceptsDamage))
        }
        return lines
    }

    /// Returns the line about how to get what a complete export lacks.
    ///
    /// - Parameters:
    ///   - session: The session that wrote it.
    ///   - acceptsDamage: Whether it accepts a damaged source.
    package static func remedy(
        _ session: BulkExportSessionIdentifier, acceptsDamage: Bool
    ) -> TerminalText {
        acceptsDamage
            ? "to get what is missing, export an undamaged source under another name"
            : "export it again with: healthvault session resume \(session)"
    }

    package var json: String {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("path", target)
            writer.member("encrypted", isEncrypted)
            writer.member("continues", continues)
            writer.member("samples", manifest.sampleCount)
            writer.member("typeCount", manifest.typeCount)
            manifest.writeStarts(&writer)
            writer.member("fileCount", manifest.files.count)
            summary.writeCosts(&writer)
            writer.member("truncated", manifest.isTruncated)
            SourceWarningText.write(skipped: manifest.skipped, &writer)
            writer.member("damagedFiles", manifest.damagedFiles)
            writer.member("missingFiles", manifest.missingFiles)
            if let session { writer.member("session", session.text) }
            writer.member("failedBatches", manifest.failedBatches.map { EntryPath.batch($0.key) })
            SourceWarningText.write(warningsOf: manifest, of: source, &writer)
        }
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}

extension Exporter.Summary {
    /// Writes the members about bytes, seconds and memory.
    func writeCosts(_ writer: inout JSONWriter) {
        writer.member("resumedBytes", resumedSize)
        writer.member("sourceBytes", sourceSize)
        writer.member("bytes", targetSize)
        writer.key("seconds")
        writer.decimal(seconds, digits: 3)
        writer.key("keyDerivationSeconds")
        writer.decimal(keyDerivationSeconds, digits: 3)
        writer.member("peakMemoryBytes", CurrentProcess.peakMemory)
    }
}

extension Manifest {
    /// Writes the earliest and the latest start of all samples, for a day the day.
    func writeStarts(_ writer: inout JSONWriter) {
        let rule = (try? days()) ?? Days.utc
        guard let starts = Inspector.starts(of: Inspector.summaries(of: self), by: rule) else { return }
        writer.member("first", starts.first)
        writer.member("last", starts.last)
    }
}
