/// The method of merging samples of several sources into one series.
///
/// A watch and a phone both count the steps of the same walk. The Health app merges them by a rule that Apple has not
/// published, so results may differ from the app's.
public enum SourceMerge: Sendable, Hashable {
    /// At each moment, only the covering source with the highest priority counts; a sample that counts in part counts
    /// in proportion to the time.
    ///
    /// The listed names come first, in the order of the list, as a person types them
    /// (``SourceFilter/name(readsLike:)``); then watches, then phones, then all others.
    case priority([String] = [])
    /// In each interval, only the source with the greatest sum counts.
    case maximumSource
    /// All samples count.
    case none

    /// The names of the sources that come before all others.
    package var firstSources: [String] { if case .priority(let names) = self { names } else { [] } }

    /// The rule in words, for showing with a result.
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
    /// Returns the indices of sources, the highest priority first; ties are sorted by name.
    ///
    /// - Parameters:
    ///   - sources: The sources.
    ///   - names: The names that come before all others.
    public static func order(_ sources: [(name: String, device: Device?)], first names: [String]) -> [Int] {
        order(sources.map { (name: $0.name, kind: kind($0.name, $0.device)) }, first: names)
    }

    /// Returns the indices of sources of known kinds, the highest priority first; ties are sorted by name.
    package static func order(_ sources: [(name: String, kind: Kind)], first names: [String]) -> [Int] {
        let ranks = sources.map { source in
            names.firstIndex(of: source.name) ?? names.firstIndex { $0.reads(like: source.name) }
                ?? names.count + source.kind.rawValue
        }
        return sources.indices.sorted { left, right in
            ranks[left] != ranks[right]
                ? ranks[left] < ranks[right]
                : sources[left].name.utf8.lexicographicallyPrecedes(sources[right].name.utf8)
        }
    }

    /// Returns the rank of each source, 0 for the highest priority: the inverse of ``order(_:first:)``.
    package static func ranks(_ sources: [(name: String, device: Device?)], first names: [String]) -> [Int] {
        var ranks = [Int](repeating: 0, count: sources.count)
        for (rank, source) in order(sources, first: names).enumerated() { ranks[source] = rank }
        return ranks
    }

    /// Returns the source with the greatest total, the first by name of those with equal ones; nil without any.
    package static func greatest(
        of totals: [Int: Double], _ sources: [(name: String, device: Device?)]
    ) -> Int? {
        totals.max { left, right in
            left.value != right.value
                ? left.value < right.value
                : sources[right.key].name.utf8.lexicographicallyPrecedes(sources[left.key].name.utf8)
        }?.key
    }

    /// The kinds of sources, by priority.
    package enum Kind: Int, Sendable {
        case watch
        case phone
        case other
    }

    /// Returns the kind of a source, determined by its device or, if it has none, by its name.
    package static func kind(_ name: String, _ device: Device?) -> Kind {
        let texts = [device?.hardwareVersion, device?.model, device?.name].compactMap(\.self)
        for text in texts.isEmpty ? [name] : texts {
            let text = Substring(text)
            if text.contains(text: "Watch") { return .watch }
            if text.contains(text: "iPhone") { return .phone }
        }
        return .other
    }
}
