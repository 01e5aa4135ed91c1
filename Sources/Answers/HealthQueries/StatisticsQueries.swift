import ByteText
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
    /// out. Samples that start more than the query's lookback before its range are ignored, and so are those that last longer
    /// than `QuantityColumns.longestSample`.
    ///
    /// - Throws: ``QueryError`` if an option is not applicable to the type, or there are too many intervals;
    ///   `HealthStoreError`; an error if the store cannot be read.
    @concurrent public func statistics(_ query: StatisticsQuery) async throws -> StatisticsResult {
        try await statistics([query])[0]
    }

    /// Returns statistics of several quantities, or of one by several intervals, from one pass over the store.
    ///
    /// The range, the lookback, the predicate and the rule for days are those of the first query.
    ///
    /// - Parameter adjust: Changes the intervals of a query to those that fit what the store contains, or makes its range
    ///   shorter.
    /// - Throws: As for one query.
    @concurrent public func statistics(
        _ queries: [StatisticsQuery],
        _ adjust: @Sendable (inout StatisticsQuery, StoreContents) -> Void = { _, _ in }
    ) async throws -> [StatisticsResult] {
        guard let shared = queries.first else { return [] }
        for query in queries { try query.checkOptions() }
        var spans = samples(
            of: Array(Set(queries.map(\.type.erased))), in: shared.range, where: shared.predicate,
            matching: .overlapping, lookback: shared.lookback, days: shared.days
        ).makeAsyncIterator()
        // A store that can be read only once tells its contents with the first samples.
        var next = try await spans.next()
        let contents = try await contents()
        var computed = try queries.map { query in
            var query = query
            adjust(&query, contents)
            var days = shared.days ?? contents.days
            if let weekday = query.firstWeekday { days = days.startingWeeks(on: weekday) }
            let range = query.range.resolved(in: contents, days: shared.days)
            return try IntervalStatistics(query, days: days, in: range, now: contents.exportDate?.seconds)
        }
        var intervals = [[Statistics]](repeating: [], count: queries.count)
        while let span = next.take() {
            if let found = span.converted(to: QuantitySample.self) {
                for index in queries.indices where queries[index].type.erased == span.type {
                    try computed[index].append(found) { intervals[index].append($0) }
                }
            }
            next = try await spans.next()
        }
        for index in queries.indices { try computed[index].finish { intervals[index].append($0) } }
        return zip(computed, intervals).map { StatisticsResult($0, $1) }
    }
}
