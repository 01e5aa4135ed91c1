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
    /// - Throws: ``QueryError`` if an option is not applicable to the type or there are too many intervals;
    ///   `HealthStoreError`; an error if the store cannot be read.
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
        return try StatisticsResult(query, columns, days, range, options)
    }
}

extension StatisticsQuery {
    /// The maximum number of seconds before the range at which overlapping samples may start.
    static let lookback = 31 * 86400
}

extension StatisticsResult {
    /// Computes the statistics of a query.
    ///
    /// - Parameters:
    ///   - query: The query.
    ///   - columns: The samples, sorted by start.
    ///   - days: The rule for days.
    ///   - range: The range of the query, in seconds since 1970.
    ///   - options: The values to compute.
    /// - Throws: ``QueryError`` if there are too many intervals.
    init(
        _ query: StatisticsQuery, _ columns: QuantityColumns, _ days: Days, _ range: Range<Int>,
        _ options: [StatisticsOption]
    ) throws(QueryError) {
        self.query = query
        self.options = options
        self.days = days
        unit = columns.unit ?? .null
        sourceUnit = columns.sourceUnit
        skipped = columns.skipped
        let names: [String] = if case .priority(let names) = query.merge { names } else { [] }
        let order = SourcePriority.order(columns.sources, first: names)
        sources = order.map { columns.sources[$0].name }
        guard var bins = StatisticsBins(query.interval, days, range, columns) else {
            throw QueryError(.tooManyIntervals, query.type.erased)
        }
        let style = query.type.aggregationStyle ?? .discreteArithmetic
        if case .priority = query.merge {
            var bySource = order.map { _ in [Int]() }
            for index in columns.starts.indices { bySource[columns.sourceNumbers[index]].append(index) }
            var covered = CoveredTime()
            for source in order {
                covered.rewind()
                for index in bySource[source] {
                    covered.forEachGap(columns.starts[index], columns.ends[index]) { from, to in
                        bins.add(index, from, to)
                    }
                }
                covered.cover(bySource[source].map { (columns.starts[$0], columns.ends[$0]) })
            }
        } else {
            for index in columns.starts.indices {
                bins.add(index, columns.starts[index], columns.ends[index])
            }
        }
        if query.merge == .maximumSource {
            bins.keepGreatestSource(isSummed: style == .cumulative || options.contains(.sum))
        }
        intervals = bins.statistics(options, style)
    }
}
