package import HealthVault
package import SystemIO

/// Messages about what was odd in a source, or is missing from it.
package enum SourceWarningText {
    /// The number of names that are shown; the rest is counted.
    private static let shownNames = 5

    /// Returns the lines about what was odd, and what was not taken.
    package static func oddities(_ manifest: Manifest) -> [TerminalText] {
        var lines: [TerminalText] = manifest.warnings.sorted { $0.key < $1.key }.map { name, count in
            "warning: \(OddityText.describe(name, count))"
        }
        if !manifest.ignoredFiles.isEmpty {
            let shown = TerminalText.list(manifest.ignoredFiles.prefix(shownNames))
            let rest = manifest.ignoredFiles.count - shownNames
            let more: TerminalText = rest > 0 ? " and \(rest) more" : ""
            lines.append("not taken: \(shown)\(more) (a link, or no part of an export)")
        }
        return lines
    }

    /// Returns the lines about what could not be read.
    package static func lacking(_ manifest: Manifest) -> [TerminalText] {
        var lines: [TerminalText] = []
        if manifest.isTruncated {
            lines.append(
                "warning: the source was cut off; what it still held was exported, and no checksum says that it is right"
            )
        }
        for name in manifest.damagedFiles {
            lines.append(
                "warning: \(name) is damaged in the source, or cannot be read; "
                    + "what could be read of it was exported")
        }
        return lines
    }
}
