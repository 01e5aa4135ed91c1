public import CivilTime
public import HealthModel

/// Statistics by day or hour of samples that arrive in chronological order, with memory for a few days only.
///
/// The results are those of a ``StatisticsQuery`` by calendar day or hour over all of the samples.
public struct DailyStatistics: Sendable {
    /// The query.
    public let query: StatisticsQuery
    /// The rule for days.
    public let days: Days
    /// What each source recorded in the range, in the order in which sources first appear.
    private var totals: [SourceTotal] = []
    private let range: Range<Int>
    private let options: [StatisticsOption]
    private var columns: QuantityColumns
    /// The start of the first day that is not finished.
    private var next: Int
    /// Number of intervals before it that had samples.
    private var finished = 0

    /// What one source recorded.
    public struct SourceTotal: Sendable, Equatable {
        /// The name of the source.
        public let name: String
        /// Number of samples in the range, in full or in part.
        public var count = 0
        /// The sum of their values, in proportion to their time in the range.
        public var sum = 0.0
    }

    /// Creates statistics without samples.
    ///
    /// - Parameters:
    ///   - query: The type, options, merging and unit; its range is ignored, and its interval is a day unless it is an
    ///     hour.
    ///   - days: The rule for days.
    ///   - range: The range, in seconds since 1970.
    /// - Throws: ``QueryError`` if an option is not applicable to the type.
    public init(_ query: StatisticsQuery, days: Days, in range: Range<Int>) throws(QueryError) {
        var query = query
        query.interval = .calendar(query.interval.unit == .hour ? .hour : .day)
        self.query = query
        self.days = days
        self.range = range
        options = query.effectiveOptions
        for option in options where !option.fits(query.type.erased) {
            throw QueryError(.unfit(option), query.type.erased)
        }
        next = range.lowerBound
        columns = QuantityColumns(unit: query.unit ?? query.type.erased.preferredUnit(in: .metric))
    }

    /// What each source recorded in the range, before sources are merged; the source with the highest priority first.
    public var sources: [SourceTotal] {
        let names: [String] = if case .priority(let names) = query.merge { names } else { [] }
        return SourcePriority.order(columns.sources, first: names).map { totals[$0] }
    }

    /// The unit of the results; nil until there are samples.
    public var unit: HealthUnit? { columns.unit }
    /// The unit that the source uses for the latest sample.
    public var sourceUnit: HealthUnit? { columns.sourceUnit }
    /// Number of samples that were ignored because they have no start, no number or an incompatible unit, or last longer than
    /// `QuantityColumns.longestSample`.
    public var skipped: Int { columns.skipped }

    /// Adds the samples of a span, none of which starts before a sample of an earlier span.
    ///
    /// - Parameter body: Called with each day, or hour, that no further sample can change.
    /// - Throws: ``QueryError`` if there are too many days.
    public mutating func append(
        _ samples: Samples<QuantitySample>, _ body: (Statistics) -> Void
    ) throws(QueryError) {
        if let start = samples.first(where: { $0.startDate != nil })?.startDate?.seconds {
            try finish(until: days.start(of: .day, containing: start), body)
        }
        let count = columns.count
        columns.append(samples)
        for source in columns.sources.dropFirst(totals.count) {
            totals.append(SourceTotal(name: source.name))
        }
        for index in count..<columns.count {
            let (start, end) = (columns.starts[index], columns.ends[index])
            let inside = (start..<end).clamped(to: range).count
            guard start == end ? range.contains(start) : inside > 0 else { continue }
            let share = start == end ? 1 : Double(inside) / Double(end - start)
            totals[columns.sourceNumbers[index]].count += 1
            totals[columns.sourceNumbers[index]].sum += columns.values[index] * share
        }
    }

    /// Finishes all days, after the last sample.
    ///
    /// - Parameter body: Called with each day, or hour, that is left.
    /// - Throws: ``QueryError`` if there are too many days.
    public mutating func finish(_ body: (Statistics) -> Void) throws(QueryError) {
        try finish(until: .max, body)
    }

    private mutating func finish(
        until limit: Int, _ body: (Statistics) -> Void
    ) throws(QueryError) {
        let end = min(limit, range.upperBound)
        guard end > next else { return }
        let rows = QuantityRows(columns)
        // Each is computed when it is reached: a sample may last for thousands of hours.
        let most = StatisticsQuery.mostIntervals * (query.interval.unit == .hour ? 24 : 1)
        for interval in StatisticsResult(query, rows, days, next..<end, options, now: nil).intervals {
            finished += 1
            guard finished <= most else { throw QueryError(.tooManyIntervals, query.type.erased) }
            body(interval)
        }
        next = end
        columns.removeSamples(endingBy: end)
    }
}
