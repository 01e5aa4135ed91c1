import SystemIO

/// How one value was made of what several sources recorded, in words for people.
enum MergeNote {
    private static let priority = "priority: "

    /// Returns the notes below a table.
    ///
    /// - Parameters:
    ///   - rule: The rule as `SourceMerge.rule` has it, or one in other words.
    ///   - sources: The names of the sources; nil if they are not known.
    static func lines(_ rule: String, of sources: [String]? = nil) -> [TerminalText] {
        if let sources, sources.count == 1 { return ["source: \(sources[0])"] }
        return [words(rule)] + (sources.map { ["sources: \(TerminalText.list($0))"] } ?? [])
    }

    private static func words(_ rule: String) -> TerminalText {
        if rule.hasPrefix(priority) {
            return
                "where sources overlap, the first of these counts: \(String(rule.dropFirst(priority.count)))"
        }
        return switch rule.prefix(while: { $0 != ":" }) {
        case "max-source": "of each interval, only the source with the most counts"
        case "none": "all sources are added up"
        default: "\(rule)"
        }
    }
}
