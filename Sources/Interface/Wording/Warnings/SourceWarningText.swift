import AppleHealthExport
package import ByteText
package import HealthVault
package import SystemIO

/// Messages about oddities in a source, and about what is missing from it.
package enum SourceWarningText {
    /// The maximum number of names to show; the rest is counted.
    package static let shownNames = 5

    /// Returns the line about how to include the files beside a document.
    package static func wholeFolder(of document: BytePath) -> TerminalText {
        "to include them, use the whole folder: \(ShellQuoting.quote(document.parent))"
    }

    /// Writes the warnings about a source as texts, and the counts of oddities by name.
    package static func write(
        warningsOf manifest: Manifest, of source: BytePath, _ writer: inout JSONWriter
    ) {
        let counts = warnings(manifest, of: source)
        writer.member("warnings", counts.map { OddityText.describe($0.key, $0.value).text })
        writer.member("ignoredFiles", manifest.ignoredFiles)
        writer.key("oddities")
        writer.object { writer in
            for (name, count) in counts { writer.member(name, count) }
        }
    }

    /// Returns the counts of oddities, sorted by name.
    ///
    /// Files beside a document are counted here, because they are not a property of the export made from it.
    package static func warnings(_ manifest: Manifest, of source: BytePath) -> [(key: String, value: Int)] {
        var warnings = manifest.warnings
        if source != "-", let opened = try? ExportSource(opening: source) {
            if opened.filesBeside > 0 { warnings["filesBeside"] = opened.filesBeside }
            if opened.foreignFiles > 0 { warnings["foreignFiles"] = opened.foreignFiles }
        }
        return warnings.sorted { $0.key < $1.key }
    }

    /// Returns the lines about oddities and skipped files.
    ///
    /// - Parameter source: The path of the source.
    package static func oddities(_ manifest: Manifest, of source: BytePath) -> [TerminalText] {
        let warnings = warnings(manifest, of: source)
        var lines: [TerminalText] = warnings.flatMap { name, count -> [TerminalText] in
            name == "missingFiles"
                ? missing(manifest.missingFiles, of: count)
                : ["warning: \(OddityText.describe(name, count))"]
        }
        if warnings.contains(where: { $0.key == "filesBeside" }) { lines.append(wholeFolder(of: source)) }
        if !manifest.ignoredFiles.isEmpty {
            let shown = TerminalText.list(manifest.ignoredFiles.prefix(shownNames))
            let rest = manifest.ignoredFiles.count - shownNames
            let more: TerminalText = rest > 0 ? " and \(rest) more" : ""
            lines.append("skipped: \(shown)\(more) (links, or not part of an export)")
        }
        return lines
    }

    /// Returns the lines about side files that the document refers to and that did not come with it.
    ///
    /// - Parameters:
    ///   - paths: The paths of the first of them.
    ///   - count: Their number.
    ///   - shown: The maximum number of paths to show.
    package static func missing(
        _ paths: [BytePath], of count: Int, shown: Int = shownNames
    ) -> [TerminalText] {
        guard count > 0 else { return [] }
        let listed = paths.prefix(shown)
        let rest = count - listed.count
        let more: TerminalText = rest > 0 ? " and \(rest) more" : ""
        return [
            "warning: \(OddityText.describe("missingFiles", count))", "  \(TerminalText.list(listed))\(more)",
        ]
    }

    /// The maximum number of skipped ranges to show; the rest is counted.
    private static let shownRanges = 5

    /// Returns the lines about the bytes of the document that could not be read.
    package static func skipped(_ ranges: [Manifest.SkippedRange]) -> [TerminalText] {
        guard !ranges.isEmpty else { return [] }
        let bytes = ranges.total(\.length)
        var lines: [TerminalText] = [
            "warning: \(Quantities.count(bytes, "byte")) of the document could not be read and were skipped:"
        ]
        for range in ranges.prefix(shownRanges) {
            lines.append(
                "  \(Quantities.count(range.length, "byte")) at offset \(range.offset)")
        }
        let rest = ranges.count - shownRanges
        if rest > 0 { lines.append("  and \(Quantities.count(rest, "more place"))") }
        return lines
    }

    /// Writes the bytes of the document that could not be read.
    package static func write(skipped: [Manifest.SkippedRange], _ writer: inout JSONWriter) {
        writer.member("skipped", objects: skipped) { range, writer in
            writer.member("offset", range.offset)
            writer.member("length", range.length)
        }
    }

    /// Returns the lines about what could not be read.
    package static func lacking(_ manifest: Manifest) -> [TerminalText] {
        var lines: [TerminalText] = []
        if manifest.isTruncated {
            lines.append(
                "warning: the source is truncated; everything up to its end was exported, not confirmed by a checksum"
            )
        }
        lines += skipped(manifest.skipped)
        for name in manifest.damagedFiles {
            lines.append(
                "warning: \(name) is damaged or unreadable in the source; "
                    + "its readable part was exported")
        }
        return lines
    }
}
