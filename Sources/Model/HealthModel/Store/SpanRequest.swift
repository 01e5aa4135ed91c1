public import CivilTime

/// A request for whole batches, as the store has them, for a typed query.
public struct SpanRequest: Sendable, Equatable {
    /// The types.
    public var types: [AnySampleType]
    /// The time range of the query; a store may leave out batches outside it.
    public var range: QueryTimeRange
    /// The maximum number of seconds before the range at which overlapping samples may start.
    public var lookback: Int
    /// Whether the latest spans come first.
    public var isNewestFirst: Bool
    /// The rule for days; nil for the store's rule.
    public var days: Days?

    /// Creates a request.
    public init(
        types: [AnySampleType], range: QueryTimeRange = .ever, lookback: Int = 0,
        isNewestFirst: Bool = false, days: Days? = nil
    ) {
        self.types = types
        self.range = range
        self.lookback = max(0, lookback)
        self.isNewestFirst = isNewestFirst
        self.days = days
    }

    /// Whether samples of this element and type are requested.
    public func covers(element: String, type: String) -> Bool {
        guard let identifier = AnySampleType.identifier(ofElement: element, type: type) else { return false }
        return types.contains(AnySampleType(identifier))
    }

    /// Returns the instants at which requested samples may start, in seconds since 1970.
    ///
    /// - Parameter contents: The contents of the store.
    public func starts(in contents: StoreContents) -> Range<Int> {
        let range = range.resolved(in: contents, days: days)
        let (lower, isBeyond) = range.lowerBound.subtractingReportingOverflow(lookback)
        return (isBeyond ? .min : lower)..<range.upperBound
    }
}
