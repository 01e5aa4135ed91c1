import ByteText
import HealthModel
import SystemIO

/// Advice on unknown names of sample types.
enum TypeText {
    static func advice(unknown name: String) -> TerminalText {
        meant(by: name).map { "did you mean '\($0)'?" } ?? "'healthvault types' lists all"
    }

    /// Returns the name that was most likely meant; nil if none comes close.
    private static func meant(by name: String) -> String? {
        if let group = SampleTypeGroup(rawValue: name) { return SampleTypeName.groupMark + group.rawValue }
        if let type = SampleTypeName.shortName(forEverydayWord: name) { return type }
        let known = AnySampleType.known
        let names = SampleTypeName.suggestions + known.map(\.identifier) + known.map(\.title)
        return closestSpelling(to: name, among: names)
    }
}
