public import HealthModel

/// The method of merging samples of several sources into one series.
///
/// A watch and a phone both count the steps of the same walk. The Health app merges them by a rule that Apple has not
/// published, so results may differ from the app's.
public enum SourceMerge: Sendable, Hashable {
    /// At each moment, only the covering source with the highest priority counts; a sample that counts in part counts
    /// in proportion to the time.
    ///
    /// The listed names come first, in the order of the list; then watches, then phones, then all others.
    case priority([String] = [])
    /// In each interval, only the source with the greatest sum counts.
    case maximumSource
    /// All samples count.
    case none

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

    /// Returns the kind of a source, determined by its device or, if it has none, by its name.
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

/// The time covered by sources of higher priority, as sorted intervals that neither overlap nor touch.
package struct CoveredTime: Sendable {
    private var starts: [Int] = []
    private var ends: [Int] = []
    /// The first interval that ends after the start of the last requested sample.
    private var place = 0

    /// Creates time of which nothing is covered.
    package init() {}

    /// Restarts from the beginning, for the samples of another source.
    package mutating func rewind() { place = 0 }

    /// Calls `body` with each uncovered part of an interval.
    ///
    /// Intervals must be passed in the order of their starts. An empty interval is covered if it is inside a covered
    /// one.
    @inline(__always)
    package mutating func forEachGap(_ start: Int, _ end: Int, _ body: (Int, Int) -> Void) {
        while place < starts.count, ends[place] <= start { place += 1 }
        var (cursor, next) = (start, place)
        if start == end {
            if next == starts.count || starts[next] > start { body(start, end) }
            return
        }
        while cursor < end {
            guard next < starts.count, starts[next] < end else {
                body(cursor, end)
                return
            }
            if starts[next] > cursor { body(cursor, starts[next]) }
            cursor = max(cursor, ends[next])
            next += 1
        }
    }

    /// Adds covered intervals, which must be sorted by start.
    package mutating func cover(_ others: [(start: Int, end: Int)]) {
        var merged = CoveredTime()
        var (mine, theirs) = (0, 0)
        while mine < starts.count || theirs < others.count {
            if theirs == others.count || mine < starts.count && starts[mine] <= others[theirs].start {
                merged.append(starts[mine], ends[mine])
                mine += 1
            } else {
                merged.append(others[theirs].start, others[theirs].end)
                theirs += 1
            }
        }
        self = merged
    }

    private mutating func append(_ start: Int, _ end: Int) {
        guard start < end else { return }
        if let last = ends.last, start <= last {
            ends[ends.count - 1] = max(last, end)
        } else {
            starts.append(start)
            ends.append(end)
        }
    }
}
