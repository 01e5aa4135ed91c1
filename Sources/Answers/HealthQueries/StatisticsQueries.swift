import ByteSpans
import CivilTime
public import HealthModel

extension HealthStore {
    /// Returns statistics of a quantity, interval by interval.
    ///
    /// ```swift
    /// let query = StatisticsQuery(.stepCount, by: .calendar(.week), in: .last(months: 3))
    /// for week in try await store.statistics(query).intervals { print(week.start, week.sum ?? 0) }
    /// ```
    ///
    /// A sample that spans two intervals counts for both in proportion to the time. Intervals without samples are left
    /// out. Samples that start more than 31 days before the query's range are ignored.
    ///
    /// - Throws: ``QueryError`` if an option is not applicable to the type; `HealthStoreError`; an error if the store
    ///   cannot be read.
    @concurrent public func statistics(_ query: StatisticsQuery) async throws -> StatisticsResult {
        let options = query.effectiveOptions
        for option in options where !option.fits(query.type.erased) {
            throw QueryError(.unfit(option), query.type.erased)
        }
        var samples = SampleQuery(
            query.type, in: query.range, where: query.predicate, matching: .overlapping, days: query.days)
        samples.lookback = StatisticsQuery.lookback
        var columns = QuantityColumns(unit: query.unit ?? query.type.erased.preferredUnit(in: .metric))
        for try await span in self.samples(samples) { columns.append(span) }
        let contents = try await contents()
        var days = query.days ?? contents.days
        if let weekday = query.firstWeekday { days = days.startingWeeks(on: weekday) }
        let range = query.range.resolved(in: contents, days: query.days)
        guard columns.parts(in: range, by: query.interval) <= StatisticsQuery.mostParts else {
            throw QueryError(.tooManyIntervals, query.type.erased)
        }
        return StatisticsResult(
            query, columns, days, range, options, now: contents.exportDate?.seconds)
    }
}

extension StatisticsQuery {
    /// The maximum number of seconds before the range at which overlapping samples may start.
    package static let lookback = 31 * 86400
    /// The most parts of samples in intervals that are computed, which takes some seconds; no phone records more.
    static let mostParts = 1 << 26
}

extension QuantityColumns {
    /// Returns the approximate number of parts of the samples in intervals.
    fileprivate func parts(in range: Range<Int>, by interval: StatisticsQuery.Interval) -> Int {
        let unit =
            switch interval.unit {
            case .hour: 3600
            case .day: 86_400
            case .week: 7 * 86_400
            case .month: 30 * 86_400
            case .year: 365 * 86_400
            }
        let length = unit * max(1, interval.count)
        var parts = LengthSum()
        for (start, end) in zip(starts, ends) {
            let own = (start..<max(start, end)).clamped(to: range)
            parts.add(1 + own.count / length)
        }
        return parts.value
    }
}

extension StatisticsResult {
    /// Prepares the statistics of a query.
    ///
    /// - Parameters:
    ///   - query: The query.
    ///   - columns: The samples, sorted by start.
    ///   - days: The rule for days.
    ///   - range: The range of the query, in seconds since 1970.
    ///   - options: The values to compute.
    ///   - now: The time of the export, in seconds since 1970; nil if it is unknown.
    init(
        _ query: StatisticsQuery, _ columns: QuantityColumns, _ days: Days, _ range: Range<Int>,
        _ options: [StatisticsOption], now: Int?
    ) {
        self.query = query
        self.options = options
        self.days = days
        unit = columns.unit ?? .null
        sourceUnit = columns.sourceUnit
        skipped = columns.skipped
        undated = columns.undated
        let names: [String] = if case .priority(let names) = query.merge { names } else { [] }
        let order = SourcePriority.order(columns.sources, first: names)
        sources = order.map { columns.sources[$0].name }
        var ranks = order
        for (rank, source) in order.enumerated() { ranks[source] = rank }
        intervals = StatisticsIntervals(
            columns: columns, ranks: ranks, query: query, days: days, range: range, options: options, now: now
        )
    }
}
