public import ByteText

/// The contents of a store.
public struct StoreContents: Sendable, Equatable {
    /// The fingerprint of this content.
    public var fingerprint = StoreFingerprint()
    /// When the export was made, nil if the export does not state it.
    public var exportDate: Timestamp?
    /// The rule for days, in the time zone of the export.
    public var days = Days.utc
    /// The types that the store has samples of, in the order of their identifiers.
    public var types: [TypeExtent] = []
    /// The names of the samples' sources, sorted.
    public var sources: [String] = []

    /// Whether it is a selection: part of the source was left out on purpose.
    public var isSelection = false

    /// Creates empty contents.
    public init() {}

    /// The current time of the store: that of the export or, if that is unknown, the latest start.
    public var now: Timestamp? {
        exportDate ?? types.compactMap(\.last).max { $0.seconds < $1.seconds }
    }

    /// Returns the day of the latest sample of a type, if it is dated after the day of the export; nil otherwise.
    package func dayAfterExport(of type: AnySampleType, by rule: Days) -> CivilDate? {
        guard let exportDate, let last = extent(of: type)?.days(by: rule)?.upperBound else { return nil }
        return last > rule.day(of: exportDate.seconds) ? last : nil
    }

    /// Returns the extent of a type; nil if it has no samples.
    public func extent(of type: AnySampleType) -> TypeExtent? {
        types.first { $0.type == type }
    }
}

/// The number of samples of a type, and the range of their starts.
public struct TypeExtent: Sendable, Equatable {
    /// The type.
    public let type: AnySampleType
    /// Number of samples.
    public var count: Int
    /// The earliest start; nil if no sample has one.
    public var first: Timestamp?
    /// The latest start.
    public var last: Timestamp?

    /// Creates an extent.
    public init(type: AnySampleType, count: Int = 0, first: Timestamp? = nil, last: Timestamp? = nil) {
        self.type = type
        self.count = count
        self.first = first
        self.last = last
    }

    /// Adds more samples.
    public mutating func add(count more: Int, first start: Timestamp?, last end: Timestamp?) {
        count += more
        first.lower(to: start)
        last.raise(to: end)
    }

    /// Whether its samples have a day and no time: their starts are midnights in UTC, whatever the time zone.
    private var hasDays: Bool { type == .activitySummary }

    /// Returns the first and the last day; nil without a start.
    package func days(by rule: Days) -> ClosedRange<CivilDate>? {
        guard let first, let last else { return nil }
        if hasDays { return ClosedRange(between: first.day, and: last.day) }
        return ClosedRange(between: rule.day(of: first.seconds), and: rule.day(of: last.seconds))
    }

    /// Returns the first and the last start in seconds since 1970, for a day its start; nil without a start.
    package func starts(by rule: Days) -> ClosedRange<Int>? {
        guard let first, let last else { return nil }
        if hasDays {
            return ClosedRange(between: rule.start(of: first.day), and: rule.start(of: last.day))
        }
        return ClosedRange(between: first.seconds, and: last.seconds)
    }
}

/// Named facts, such as lengths and checksums, that distinguish the content of one store from that of another.
///
/// Names and times of files are not part of it. A store may know some of the facts before it is read, and the rest only
/// afterwards.
public struct StoreFingerprint: Sendable, Equatable {
    /// The facts by their names.
    public var facts: [String: String]

    /// Creates a fingerprint of these facts.
    public init(_ facts: [String: String] = [:]) { self.facts = facts }

    /// The result of comparing two fingerprints.
    public enum Comparison: Sendable, Equatable {
        /// All facts in common are the same.
        case same
        /// A fact differs.
        case different
        /// They have no fact in common.
        case unknown
    }

    /// Compares two fingerprints.
    public func compare(_ other: StoreFingerprint) -> Comparison {
        let common = facts.keys.filter { other.facts[$0] != nil }
        guard common.allSatisfy({ facts[$0] == other.facts[$0] }) else { return .different }
        return common.isEmpty ? .unknown : .same
    }
}
