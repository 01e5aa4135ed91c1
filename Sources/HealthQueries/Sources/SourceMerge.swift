public import HealthModel

/// How samples of several sources become one series.
///
/// A watch and a phone both count the steps of the same walk. The Health app merges them by a rule that Apple has not
/// published, so that results may differ from it.
public enum SourceMerge: Sendable, Hashable {
    /// At each moment, the source with the highest priority that covers it counts; a sample of which only a part
    /// counts does so in proportion to the time.
    ///
    /// The names in the list come first, in its order; then watches, then phones, then all others.
    case priority([String] = [])
    /// Of each interval, the source with the greatest sum counts.
    case maximumSource
    /// All samples count.
    case none

    /// The rule in words, for a result.
    public var rule: String {
        switch self {
        case .priority(let names):
            "priority: \((names + ["watch", "iPhone", "others"]).joined(separator: ", "))"
        case .maximumSource: "max-source: the source with the most in each interval"
        case .none: "none: all sources added up"
        }
    }
}

/// The priorities of sources.
public enum SourcePriority: Sendable {
    /// Returns the numbers of sources, that with the highest priority first; equal ones by name.
    ///
    /// - Parameters:
    ///   - sources: The sources.
    ///   - names: The names that come before all others.
    public static func order(_ sources: [(name: String, device: Device?)], first names: [String]) -> [Int] {
        func rank(_ source: (name: String, device: Device?)) -> Int {
            if let place = names.firstIndex(of: source.name) { return place }
            return names.count + kind(source).rawValue
        }
        return sources.indices.sorted { left, right in
            let (mine, theirs) = (rank(sources[left]), rank(sources[right]))
            return mine != theirs
                ? mine < theirs : sources[left].name.utf8.lexicographicallyPrecedes(sources[right].name.utf8)
        }
    }

    private enum Kind: Int {
        case watch
        case phone
        case other
    }

    /// Returns what a source is by its device or, without one, by its name.
    private static func kind(_ source: (name: String, device: Device?)) -> Kind {
        let texts = [source.device?.hardwareVersion, source.device?.model, source.device?.name]
            .compactMap(\.self)
        for text in texts.isEmpty ? [source.name] : texts {
            let text = Substring(text)
            if text.contains(text: "Watch") { return .watch }
            if text.contains(text: "iPhone") { return .phone }
        }
        return .other
    }
}
