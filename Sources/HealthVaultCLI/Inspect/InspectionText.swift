import ByteSpans
import CommandOutput
import HealthModel
import HealthVault
import JSONText
import SampleBatches
import SystemIO
import VaultContainer

/// The output of `inspect`.
struct InspectionText {
    let path: BytePath
    var header: CleartextHeader?
    var report: Inspector.Report?

    init(path: BytePath) { self.path = path }

    var text: TerminalText {
        var lines: [TerminalText] = []
        if let header { lines += describe(header) }
        if let report { lines += describe(report) }
        if header != nil, report == nil { lines.append("what is inside needs the passphrase") }
        return .lines(lines)
    }

    private func describe(_ header: CleartextHeader) -> [TerminalText] {
        let slots: [TerminalText] = header.slots.sorted { $0.key < $1.key }
            .map { "\($0.key) (\(Quantities.count($0.value)) iterations)" }
        return [
            "container version \(header.version), suite \(header.suite): AES-256-GCM, PBKDF2-HMAC-SHA-512",
            "identifier \(header.vaultIdentifier)",
            "key slots: \(TerminalText.joined(slots, separator: ", "))",
            "size: \(Quantities.bytes(header.fileSize)), segments of \(Quantities.bytes(header.segmentSize))",
        ]
    }

    private func describe(_ report: Inspector.Report) -> [TerminalText] {
        var lines: [TerminalText] = report.continues.map { "continues: \($0)" }
        if !report.exportDate.isEmpty {
            lines.append("exported: \(report.exportDate), locale \(report.locale)")
        }
        if let version = report.documentType { lines.append("document type: version \(version)") }
        if let selection = report.selection { lines.append(SelectionText.describe(selection)) }
        lines.append(Quantities.count(report.sampleCount, "sample"))
        let samples = report.types.filter { $0.first != nil || $0.count > 1 }
        let width = samples.map { Quantities.count($0.count).text.utf8.count }.max() ?? 0
        for type in samples {
            let count = Quantities.count(type.count)
            let name = type.type.isEmpty ? type.element : AnySampleType.title(of: type.type)
            let space = String(repeating: " ", count: width - count.text.utf8.count)
            var line: TerminalText = "  \(space)\(count)  \(name)"
            if let days = type.days(by: report.days) { line += "  \(Quantities.days(days))" }
            lines.append(line)
        }
        lines.append("days in \(report.days.zone)")
        if let characteristics = report.characteristics { lines += ProfileText.describe(characteristics) }
        if !report.sources.isEmpty { lines.append("sources: \(TerminalText.list(report.sources))") }
        if !report.files.isEmpty {
            let length = report.files.total(\.length)
            lines.append("\(Quantities.count(report.files.count, "side file")), \(Quantities.bytes(length))")
            for file in report.files.prefix(10) {
                lines.append("  \(file.name)  \(Quantities.bytes(file.length))")
            }
            if report.files.count > 10 { lines.append("  ... and \(report.files.count - 10) more") }
        }
        if report.exports > 1 { lines.append("collected from \(report.exports) exports") }
        if report.gone.sampleCount > 0 {
            lines.append(
                "\(Quantities.count(report.gone.sampleCount, "sample")) of earlier exports are not counted: see them "
                    + "with 'healthvault query --gone'")
        }
        if !report.gone.files.isEmpty {
            let files = Quantities.count(report.gone.files.count, "side file")
            lines.append("\(files) of earlier exports, not counted either:")
            for file in report.gone.files.prefix(10) { lines.append("  \(file.path)") }
        }
        for (name, count) in report.warnings.sorted(by: { $0.key < $1.key }) {
            lines.append("warning: \(OddityText.describe(name, count))")
        }
        if header == nil, report.warnings["filesBeside"] != nil {
            lines.append(SourceWarningText.wholeFolder(of: path))
        }
        for name in report.damagedFiles {
            lines.append("warning: \(name) was damaged in the source; what could be read of it is here")
        }
        lines += FailedBatchText.describe(report.failedBatches)
        if report.isTruncated { lines.append("warning: made of a source that was incomplete") }
        lines += SourceWarningText.skipped(report.skipped)
        return lines
    }

    var json: String {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("path", path)
            if let header { write(header, &writer) }
            if let report { write(report, &writer) }
        }
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    private func write(_ header: CleartextHeader, _ writer: inout JSONWriter) {
        writer.key("header")
        writer.object { writer in
            writer.member("version", header.version)
            writer.member("suite", header.suite)
            writer.member("identifier", header.vaultIdentifier)
            writer.member("generation", Int(clamping: header.generation))
            writer.member("segmentBytes", header.segmentSize)
            writer.member("fileBytes", header.fileSize)
            SlotText.write(header.slots, &writer)
        }
    }

    private func write(_ report: Inspector.Report, _ writer: inout JSONWriter) {
        writer.member("exportDate", report.exportDate)
        writer.member("locale", report.locale)
        writer.member("zone", report.days.zone)
        if let characteristics = report.characteristics { ProfileText.write(characteristics, &writer) }
        writer.member("samples", report.sampleCount)
        writer.member("truncated", report.isTruncated)
        SourceWarningText.write(skipped: report.skipped, &writer)
        writer.member("exports", report.exports)
        writer.member("goneSamples", report.gone.sampleCount)
        writer.member("goneFiles", report.gone.files.map(\.path))
        if let selection = report.selection {
            writer.key("selection")
            selection.write(&writer)
        }
        if let version = report.documentType { writer.member("documentType", version) }
        writer.key("types")
        writer.array { writer in
            for type in report.types {
                writer.object { writer in
                    writer.member("element", type.element)
                    writer.member("type", type.type)
                    writer.member("count", type.count)
                    if let first = type.first { writer.member("first", first.iso) }
                    if let last = type.last { writer.member("last", last.iso) }
                }
            }
        }
        writer.member("sources", report.sources)
        writer.key("files")
        writer.array { writer in
            for file in report.files {
                writer.object { writer in
                    writer.member("name", file.name)
                    writer.member("length", file.length)
                }
            }
        }
        writer.member("damagedFiles", report.damagedFiles)
        writer.member("failedBatches", report.failedBatches.map { EntryPath.batch($0.key) })
        writer.member("continues", report.continues)
        writer.key("warnings")
        writer.object { writer in
            for (name, count) in report.warnings.sorted(by: { $0.key < $1.key }) {
                writer.member(name, count)
            }
        }
    }
}
