import HealthModel
import HealthVault

/// What was selected of an archive.
enum SelectionText {
    static func describe(_ selection: Manifest.Selection) -> String {
        var parts: [String] = []
        if let types = selection.types { parts.append(names(types)) }
        if !selection.excludedTypes.isEmpty { parts.append("without " + names(selection.excludedTypes)) }
        if let since = selection.since { parts.append("since " + since.iso) }
        if let until = selection.until { parts.append("until " + until.iso) }
        return "a selection of an archive: " + parts.joined(separator: ", ")
    }

    private static func names(_ identifiers: [String]) -> String {
        identifiers.map { SampleType.title(of: $0) }.joined(separator: ", ")
    }
}
