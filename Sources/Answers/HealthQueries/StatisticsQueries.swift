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
        return StatisticsResult(
            query, columns, days, range, options, now: contents.exportDate?.seconds)
    }
}

extension StatisticsQuery {
    /// The maximum number of seconds before the range at which overlapping samples may start.
    package static let lookback = 31 * 86400
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
        sources = SourcePriority.order(columns.sources, first: names).map { columns.sources[$0].name }
        let ranks = SourcePriority.ranks(columns.sources, first: names)
        intervals = StatisticsIntervals(
            columns: columns, ranks: ranks, query: query, days: days, range: range, options: options, now: now
        )
    }
}
