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
    /// out. Samples that start more than the query's lookback before its range are ignored, and so are those that last longer
    /// than `QuantityColumns.longestSample`.
    ///
    /// - Throws: ``QueryError`` if an option is not applicable to the type, or there are too many intervals;
    ///   `HealthStoreError`; an error if the store cannot be read.
    @concurrent public func statistics(_ query: StatisticsQuery) async throws -> StatisticsResult {
        try await statistics([query])[0]
    }

    /// Returns statistics of several quantities from one pass over the store.
    ///
    /// The range, the lookback, the predicate and the rule for days are those of the first query.
    ///
    /// - Throws: As for one query.
    @concurrent public func statistics(_ queries: [StatisticsQuery]) async throws -> [StatisticsResult] {
        guard let shared = queries.first else { return [] }
        for query in queries {
            for option in query.effectiveOptions where !option.fits(query.type.erased) {
                throw QueryError(.unfit(option), query.type.erased)
            }
        }
        var rows = queries.map {
            QuantityRows(QuantityColumns(unit: $0.unit ?? $0.type.erased.preferredUnit(in: .metric)))
        }
        let spans = samples(
            of: Array(Set(queries.map(\.type.erased))), in: shared.range, where: shared.predicate,
            matching: .overlapping, lookback: shared.lookback, days: shared.days)
        for try await span in spans {
            guard let found = span.converted(to: QuantitySample.self) else { continue }
            for index in queries.indices where queries[index].type.erased == span.type {
                rows[index].append(found)
            }
            guard rows.total(\.columns.count) > StatisticsQuery.mostColumns else { continue }
            for index in rows.indices { rows[index].pack() }
            if rows.total(\.packedSize) > StatisticsQuery.mostPacked {
                throw QueryError(.tooManySamples, span.type)
            }
        }
        let contents = try await contents()
        let range = shared.range.resolved(in: contents, days: shared.days)
        for (query, rows) in zip(queries, rows) { try rows.check(query, in: range) }
        return zip(queries, rows).map { query, rows in
            var days = shared.days ?? contents.days
            if let weekday = query.firstWeekday { days = days.startingWeeks(on: weekday) }
            return StatisticsResult(
                query, rows, days, range, query.effectiveOptions, now: contents.exportDate?.seconds)
        }
    }
}

extension StatisticsQuery {
    /// The most intervals with samples: the hours of thirty years, or the days of seven hundred.
    ///
    /// A few crafted samples of a year each could be in any number of hours, for all of which an answer needs memory.
    static let mostIntervals = 1 << 18
    /// The most parts of samples in intervals that are computed, which takes some seconds; no phone records more.
    static let mostParts = 1 << 26
    /// The number of samples that are columns, of 32 bytes each.
    ///
    /// To pack them takes less time than to copy more of them each time that the arrays grow.
    static let mostColumns = 1 << 14
    /// The bytes of the other samples, some ten million or more.
    static let mostPacked = 112 << 20
}

extension QuantityRows {
    /// Checks that the samples are in few enough intervals, and have few enough parts in them, approximately.
    func check(_ query: StatisticsQuery, in range: Range<Int>) throws(QueryError) {
        let unit =
            switch query.interval.unit {
            case .hour: 3600
            case .day: 86_400
            case .week: 7 * 86_400
            case .month: 30 * 86_400
            case .year: 365 * 86_400
            }
        let length = unit * max(1, query.interval.count)
        // Mostly known without a look at each.
        guard LengthSum.of(count, duration / length) > StatisticsQuery.mostIntervals else { return }
        var (parts, intervals, next) = (LengthSum(), 0, Int.min)
        var rows = makeIterator()
        while let row = rows.next() {
            let own = (row.start..<max(row.start, row.end)).clamped(to: range)
            parts.add(1 + own.count / length)
            let first = max(next, own.lowerBound.flooredQuotient(by: length))
            next = max(first, (own.upperBound - 1).flooredQuotient(by: length) + 1)
            intervals += next - first
        }
        guard parts.value <= StatisticsQuery.mostParts, intervals <= StatisticsQuery.mostIntervals else {
            throw QueryError(.tooManyIntervals, query.type.erased)
        }
    }
}

extension StatisticsResult {
    /// Prepares the statistics of a query.
    ///
    /// - Parameters:
    ///   - query: The query.
    ///   - rows: The samples, sorted by start.
    ///   - days: The rule for days.
    ///   - range: The range of the query, in seconds since 1970.
    ///   - options: The values to compute.
    ///   - now: The time of the export, in seconds since 1970; nil if it is unknown.
    init(
        _ query: StatisticsQuery, _ rows: QuantityRows, _ days: Days, _ range: Range<Int>,
        _ options: [StatisticsOption], now: Int?
    ) {
        let columns = rows.columns
        self.query = query
        self.options = options
        self.days = days
        unit = columns.unit ?? .null
        sourceUnit = columns.sourceUnit
        skipped = columns.skipped
        undated = columns.undated
        overlong = columns.overlong
        let names: [String] = if case .priority(let names) = query.merge { names } else { [] }
        sources = SourcePriority.order(columns.sources, first: names).map { columns.sources[$0].name }
        let ranks = SourcePriority.ranks(columns.sources, first: names)
        intervals = StatisticsIntervals(
            rows: rows, ranks: ranks, query: query, days: days, range: range, options: options, now: now)
    }
}
