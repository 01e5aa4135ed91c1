import ByteText
import HealthModel
package import HealthVault
package import SystemIO

/// Messages about what was selected from an archive.
package enum SelectionText {
    package static func describe(_ selection: Manifest.Selection) -> TerminalText {
        var parts: [TerminalText] = []
        if let types = selection.types { parts.append(names(types)) }
        if !selection.excludedTypes.isEmpty { parts.append("without \(names(selection.excludedTypes))") }
        if let since = selection.since { parts.append("since \(since.iso)") }
        if let until = selection.until { parts.append("until \(until.iso)") }
        return "part of an export: \(TerminalText.joined(parts, separator: ", "))"
    }

    private static func names(_ identifiers: [String]) -> TerminalText {
        .list(identifiers.map { AnySampleType.title(of: $0) })
    }
}
