import ByteText
import HealthModel
package import HealthVault
import SampleBatches
package import SystemIO
package import VaultContainer
import Wording

/// The output of `inspect`.
package struct InspectionText {
    package var path: BytePath
    /// Whether to list every type, source and file.
    let showsAll: Bool
    package var header: CleartextHeader?
    package var report: Inspector.Report?

    /// The maximum numbers of types, sources and files to list; the rest is counted.
    private static let shownTypes = 20
    private static let shownSources = 10
    private static let shownFiles = 10

    package init(path: BytePath, showsAll: Bool) {
        self.path = path
        self.showsAll = showsAll
    }

    package var text: TerminalText {
        var lines: [TerminalText] = []
        // What a person wants to know comes first, and the file format last.
        if let report { lines += describe(report) + technicalFacts(report) }
        if let header { lines += describe(header) }
        if header != nil, report == nil { lines.append("enter the passphrase to see the contents") }
        return .lines(lines.flatMap { Console.wrapped($0) })
    }

    private func describe(_ header: CleartextHeader) -> [TerminalText] {
        let slots: [TerminalText] = header.slots.sorted { $0.key < $1.key }
            .map { "\($0.key) (\(Quantities.count($0.value)) iterations)" }
        return [
            "container version \(header.version), suite \(header.suite): AES-256-GCM, PBKDF2-HMAC-SHA-512",
            "identifier \(header.identifier)",
            "key slots: \(TerminalText.joined(slots, separator: ", "))",
            "size: \(Quantities.bytes(header.fileSize)), segments of \(Quantities.bytes(header.segmentSize))",
        ]
    }

    private func technicalFacts(_ report: Inspector.Report) -> [TerminalText] {
        var lines: [TerminalText] = []
        if let version = report.documentType { lines.append("document type: version \(version)") }
        return lines + report.continues.map { "continues: \($0)" }
    }

    private func describe(_ report: Inspector.Report) -> [TerminalText] {
        var lines: [TerminalText] = []
        if let characteristics = report.characteristics { lines += ProfileText.describe(characteristics) }
        if !report.exportDate.isEmpty {
            let time = Timestamp(compact: Array(report.exportDate.utf8).span)?.iso ?? report.exportDate
            lines.append("exported: \(time)" + (report.locale.isEmpty ? "" : ", locale \(report.locale)"))
        }
        if let selection = report.selection { lines.append(SelectionText.describe(selection)) }
        lines += types(report)
        lines.append("days in \(report.days.zone)")
        if !report.sources.isEmpty {
            let shown = report.sources.prefix(showsAll ? .max : Self.shownSources)
            let rest = report.sources.count - shown.count
            let more: TerminalText = rest > 0 ? " and \(rest) more" : ""
            lines.append("sources: \(TerminalText.list(shown))\(more)")
        }
        if !report.files.isEmpty {
            let length = report.files.total(\.length)
            lines.append("\(Quantities.count(report.files.count, "side file")), \(Quantities.bytes(length))")
            lines += shown(report.files, Self.shownFiles) { "  \($0.name)  \(Quantities.bytes($0.length))" }
        }
        if report.exports > 1 { lines.append("collected from \(report.exports) exports") }
        if report.gone.sampleCount > 0 {
            lines.append(
                "\(Quantities.count(report.gone.sampleCount, "sample")) from earlier exports not counted: see "
                    + "'healthvault query --gone'")
        }
        if !report.gone.files.isEmpty {
            let files = Quantities.count(report.gone.files.count, "side file")
            lines.append("\(files) from earlier exports not counted:")
            lines += shown(report.gone.files, Self.shownFiles) { "  \($0.path)" }
        }
        for (name, count) in report.warnings.sorted(by: { $0.key < $1.key }) {
            if name == "missingFiles" {
                lines += SourceWarningText.missing(
                    report.missingFiles, of: count, shown: showsAll ? .max : Self.shownFiles)
                continue
            }
            lines.append("warning: \(OddityText.describe(name, count))")
            if let names = unknownNames(name, report) { lines.append("  \(names)") }
        }
        if header == nil, report.warnings["filesBeside"] != nil {
            lines.append(SourceWarningText.wholeFolder(of: path))
        }
        for name in report.damagedFiles {
            lines.append("warning: \(name) was damaged in the source; only its readable part is here")
        }
        lines += FailedBatchText.describe(report.failedBatches)
        if report.isTruncated { lines.append("warning: made from a truncated source") }
        if report.isPseudonymised {
            lines.append("pseudonymised: names are numbers and dates are shifted; not a backup")
        }
        lines += SourceWarningText.skipped(report.skipped)
        return lines
    }

    /// Returns the lines for types, those with the most samples first.
    private func types(_ report: Inspector.Report) -> [TerminalText] {
        let types = report.types.filter { $0.first != nil || $0.count > 1 }
            .map { type in
                (type, Self.title(type))
            }
            .sorted { ($1.0.count, $0.1) < ($0.0.count, $1.1) }
        var table = TextTable([.right, .left, .left, .left])
        let shown = types.prefix(showsAll ? .max : Self.shownTypes)
        let rows = shown.map { type, title -> [TerminalText] in
            [
                "  \(Quantities.count(type.count))", "\(title)",
                type.days(by: report.days).map { Quantities.days($0) } ?? "",
                Self.loincCode(type).map { "LOINC \($0)" } ?? "",
            ]
        }
        let samples = Quantities.count(report.sampleCount, "sample")
        var lines: [TerminalText] = ["\(samples) of \(Quantities.count(report.typeCount, "type"))"]
        let times = shown.map { type, _ -> ClosedRange<Int>? in
            guard let first = type.first?.seconds, let last = type.last?.seconds, first <= last else {
                return nil
            }
            return first...last
        }
        lines += LineMarks.append(times, to: table.lines(rows))
        let rest = types.count - rows.count
        if rest > 0 { lines.append("  ... and \(Quantities.count(rest, "more type")): use --all") }
        return lines
    }

    private static func title(_ type: Inspector.TypeSummary) -> String {
        guard type.type.isEmpty else { return AnySampleType.title(of: type.type) }
        return type.element == "ActivitySummary" ? AnySampleType.activitySummary.title : type.element
    }

    /// Returns the LOINC code that resources of the type have; nil if there is none.
    private static func loincCode(_ type: Inspector.TypeSummary) -> String? {
        let identifier = AnySampleType.identifier(ofElement: type.element, type: type.type)
        return identifier.flatMap { FHIRMapping.standard[AnySampleType($0)].loincCode }
    }

    /// Returns lines for the first few things, and one with the number of the others.
    private func shown<Thing>(
        _ things: [Thing], _ most: Int, _ describe: (Thing) -> TerminalText
    ) -> [TerminalText] {
        let lines = things.prefix(showsAll ? .max : most).map(describe)
        let rest = things.count - lines.count
        return rest > 0 ? lines + ["  ... and \(Quantities.count(rest)) more: use --all"] : lines
    }

    /// Returns the unknown elements or attributes that an oddity counts, by name.
    private func unknownNames(_ oddity: String, _ report: Inspector.Report) -> TerminalText? {
        let names =
            switch oddity {
            case "unknownElements": report.unknownElements
            case "unknownAttributes": report.unknownAttributes
            default: [ExactName: Int]()
            }
        guard !names.isEmpty else { return nil }
        let sorted = names.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        let shown = sorted.prefix(showsAll ? .max : Self.shownSources)
            .map { name, count -> TerminalText in "\(name.text) (\(Quantities.count(count)))" }
        let rest = sorted.count - shown.count
        let more: TerminalText = rest > 0 ? " and \(rest) more" : ""
        return .joined(shown, separator: ", ") + more
    }

    package var json: String {
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
            writer.member("identifier", header.identifier)
            writer.member("generation", Int(clamping: header.generation))
            writer.member("segmentBytes", header.segmentSize)
            writer.member("bytes", header.fileSize)
            SlotText.write(header.slots, nil, &writer)
        }
    }

    private func write(_ report: Inspector.Report, _ writer: inout JSONWriter) {
        writer.member("exportDate", report.exportDate)
        writer.member("locale", report.locale)
        writer.member("zone", report.days.zone)
        if let characteristics = report.characteristics { ProfileText.write(characteristics, &writer) }
        writer.member("samples", report.sampleCount)
        writer.member("typeCount", report.typeCount)
        writer.member("truncated", report.isTruncated)
        writer.member("pseudonymised", report.isPseudonymised)
        SourceWarningText.write(skipped: report.skipped, &writer)
        writer.member("exports", report.exports)
        writer.member("goneSamples", report.gone.sampleCount)
        writer.member("goneFiles", report.gone.files.map(\.path))
        if let selection = report.selection {
            writer.key("selection")
            selection.write(&writer)
        }
        if let version = report.documentType { writer.member("documentType", version) }
        writer.member("types", objects: report.types) { type, writer in
            writer.member("element", type.element)
            writer.member("type", type.type)
            writer.member("count", type.count)
            if let code = Self.loincCode(type) { writer.member("loinc", code) }
            if let first = type.firstText { writer.member("first", first) }
            if let last = type.lastText { writer.member("last", last) }
        }
        writer.member("sources", report.sources)
        writer.member("files", objects: report.files) { file, writer in
            writer.member("name", file.name)
            writer.member("length", file.length)
        }
        writer.member("damagedFiles", report.damagedFiles)
        writer.member("missingFiles", report.missingFiles)
        writer.member("failedBatches", report.failedBatches.map { EntryPath.batch($0.key) })
        writer.member("continues", report.continues)
        let oddities = report.warnings.sorted { $0.key < $1.key }
        writer.member("warnings", oddities.map { OddityText.describe($0.key, $0.value).text })
        writer.key("oddities")
        writer.object { writer in
            for (name, count) in oddities { writer.member(name, count) }
        }
        for (key, names) in [
            ("unknownElements", report.unknownElements), ("unknownAttributes", report.unknownAttributes),
        ] {
            writer.key(key)
            writer.object { writer in
                for (name, count) in names.sorted(by: { $0.key < $1.key }) { writer.member(name.text, count) }
            }
        }
    }
}
