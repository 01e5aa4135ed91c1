public import SampleBatches

/// Which samples of one type are wanted, and in which order.
public struct SampleQuery<Sample: HealthSample>: Sendable, Equatable {
    /// The type.
    public var type: SampleType<Sample>
    /// The time.
    public var range: QueryTimeRange
    /// What else must be true of them.
    public var predicate: SamplePredicate
    /// Which samples are in the time.
    public var matching: RangeMatching
    /// Their order.
    public var order: SampleOrder
    /// The most samples that are returned; nil for all.
    public var limit: Int?
    /// The rule for days; nil for that of the store.
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

/// Which samples are in a time.
public enum RangeMatching: String, Sendable, Hashable, CaseIterable {
    /// Those that start in it: each sample is in exactly one of several times that adjoin.
    case startInside
    /// Those of which any part is in it: a night counts for both of its days.
    ///
    /// A store must then read all that starts before the time too.
    case overlapping
}

/// The order of samples.
public enum SampleOrder: String, Sendable, Hashable, CaseIterable {
    /// By their starts; equal ones as in the source.
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
