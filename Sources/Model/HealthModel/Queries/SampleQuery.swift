public import CivilTime

/// A query for samples of one type, in a certain order.
public struct SampleQuery<Sample: HealthSample>: Sendable, Equatable {
    /// The type.
    public var type: SampleType<Sample>
    /// The time range.
    public var range: QueryTimeRange
    /// A condition that samples must meet.
    public var predicate: SamplePredicate
    /// Which samples count as inside the range.
    public var matching: RangeMatching
    /// Their order.
    public var order: SampleOrder
    /// The maximum number of samples; nil for all.
    public var limit: Int?
    /// The rule for days; nil for the store's rule.
    public var days: Days?
    /// The seconds before the range in which overlapping samples may start.
    package var lookback = Int.max

    /// Creates a query.
    public init(
        _ type: SampleType<Sample>, in range: QueryTimeRange = .ever, where predicate: SamplePredicate = .all,
        matching: RangeMatching = .startInside, sortedBy order: SampleOrder = .oldestFirst, limit: Int? = nil,
        days: Days? = nil
    ) {
        self.type = type
        self.range = range
        self.predicate = predicate
        self.matching = matching
        self.order = order
        self.limit = limit.map { max(0, $0) }
        self.days = days
    }
}

/// How samples are matched against a time range.
public enum RangeMatching: String, Sendable, Hashable, CaseIterable {
    /// Samples that start in the range: each sample is in exactly one of several adjacent ranges.
    case startInside
    /// Samples that overlap the range: a night counts for both of its days.
    ///
    /// A store must then also read everything that starts before the range.
    case overlapping
}

/// The order of samples.
public enum SampleOrder: String, Sendable, Hashable, CaseIterable {
    /// By start; ties in the order of the source.
    case oldestFirst
    /// The latest first; with a limit, only the last batches are read.
    case newestFirst
}

extension SampleQuery: CustomStringConvertible {
    /// The query in words.
    public var description: String {
        var words = type.erased.shortName
        if predicate != .all { words += " where \(predicate)" }
        if order == .newestFirst { words += ", newest first" }
        if let limit { words += ", at most \(limit)" }
        return words
    }
}
