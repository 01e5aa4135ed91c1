public import ByteText
public import HealthModel

/// Statistics of samples that arrive in chronological order, interval by interval.
///
/// Of the samples, only those of the current interval are kept, and those that reach beyond it.
public struct IntervalStatistics: Sendable {
    /// The query.
    public let query: StatisticsQuery
    /// The rule for days.
    public let days: Days
    /// The values that are computed.
    let options: [StatisticsOption]
    /// The range, in seconds since 1970.
    let range: Range<Int>
    /// The time of the export, in seconds since 1970; nil if it is unknown.
    let now: Int?
    /// The samples of the span that was added last, and the sources of all.
    private(set) var columns: QuantityColumns
    private var ranks: [Int] = []
    private var sweep: IntervalSweep?
    /// What each source recorded in the range, in the order in which sources first appear.
    private var totals: [SourceTotal] = []
    /// Number of intervals that had samples.
    private var finished = 0
    /// Number of parts that samples have in intervals beyond their first one, approximately.
    private var parts = 0

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
    ///   - query: The query, whose range is ignored.
    ///   - days: The rule for days.
    ///   - range: The range, in seconds since 1970.
    ///   - now: The time of the export, in seconds since 1970; nil if it is unknown.
    /// - Throws: ``QueryError`` if an option is not applicable to the type.
    public init(
        _ query: StatisticsQuery, days: Days, in range: Range<Int>, now: Int? = nil
    ) throws(QueryError) {
        self.query = query
        self.days = days
        self.range = range
        self.now = now
        options = query.effectiveOptions
        try query.checkOptions()
        columns = QuantityColumns(unit: query.unit ?? query.type.erased.preferredUnit(in: .metric))
    }

    /// What each source recorded in the range, before sources are merged; the source with the highest priority first.
    public var sources: [SourceTotal] {
        SourcePriority.order(columns.sources, first: query.merge.firstSources).map { totals[$0] }
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
    /// - Parameters:
    ///   - samples: The samples of the span.
    ///   - body: Called with each interval that no further sample can change.
    /// - Throws: ``QueryError`` if there are too many intervals, or too many samples in one.
    public mutating func append(
        _ samples: Samples<QuantitySample>, _ body: (Statistics) -> Void
    ) throws(QueryError) {
        columns.removeSamples()
        columns.append(samples)
        for source in columns.sources.dropFirst(totals.count) {
            totals.append(SourceTotal(name: source.name))
        }
        // The order of those that were known stays the same.
        ranks = columns.ranks(query.merge)
        guard let first = columns.starts.first else { return }
        if sweep == nil { sweep = IntervalSweep(range, by: query.interval.rule(days, range, first: first)) }
        let unit = query.interval.usualLength
        let order = columns.order
        for place in 0..<columns.count where finished < query.enough {
            let sample = columns[place, in: order]
            if let inside = sample.length(in: range) {
                totals[sample.source].count += 1
                let length = sample.end - sample.start
                totals[sample.source].sum +=
                    length == 0 ? sample.value : sample.value * (Double(inside) / Double(length))
                if inside >= unit { parts += inside / unit }
            }
            try finish(before: sample.start, body)
            sweep?.append(sample)
            guard parts <= StatisticsQuery.mostParts else {
                throw QueryError(.tooManyIntervals, query.type.erased)
            }
        }
        guard sweep?.count ?? 0 <= StatisticsQuery.mostSamples else {
            throw QueryError(.tooManySamples, query.type.erased)
        }
    }

    /// Finishes all intervals, after the last sample.
    ///
    /// - Parameter body: Called with each interval that is left.
    /// - Throws: ``QueryError`` if there are too many intervals.
    public mutating func finish(_ body: (Statistics) -> Void) throws(QueryError) {
        try finish(before: .max, body)
    }

    @inline(__always)
    private mutating func finish(
        before instant: Int, _ body: (Statistics) -> Void
    ) throws(QueryError) {
        while finished < query.enough, let interval = sweep?.next(before: instant) {
            guard let result = statistics(of: interval) else { continue }
            finished += 1
            guard finished <= query.most else { throw QueryError(.tooManyIntervals, query.type.erased) }
            body(result)
        }
    }

    private var style: AggregationStyle { query.type.aggregationStyle ?? .discreteArithmetic }

    /// Returns the statistics of an interval; nil if no sample counts.
    private func statistics(of interval: SweptInterval) -> Statistics? {
        var found = interval.pieces(query.merge, ranks)
        if query.merge == .maximumSource {
            // Of values that are not added up, the source with the most samples is the greatest.
            let isSummed = style == .cumulative || options.contains(.sum)
            let sums = interval.sums(of: found, query.merge, columns, ranks) { piece in
                isSummed ? interval.amount(piece) : 1
            }
            found.removeAll { interval.samples[$0.index].source != sums.first?.source }
        }
        guard !found.isEmpty else { return nil }
        let bounds = interval.bounds
        var result = Statistics(
            start: days.timestamp(bounds.lowerBound), end: days.timestamp(bounds.upperBound))
        result.count = SweptInterval.sampleCount(of: found)
        let values = found.lazy.map { interval.samples[$0.index].value }
        for option in options {
            switch option {
            case .sum: result.sum = found.reduce(0) { $0 + interval.amount($1) }
            case .minimum: result.minimum = values.min()
            case .maximum: result.maximum = values.max()
            case .median: result.median = interval.values(of: Self.samples(of: found)).quantile(0.5)
            case .percentile95:
                result.percentile95 = interval.values(of: Self.samples(of: found)).quantile(0.95)
            case .mostRecent:
                let latest = found.max { left, right in
                    let (mine, theirs) = (interval.samples[left.index], interval.samples[right.index])
                    return (mine.start, mine.end, left.index) < (theirs.start, theirs.end, right.index)
                }
                result.mostRecent = latest.map { interval.samples[$0.index].value }
            case .duration: result.duration = found.reduce(0) { $0 + $1.end - $1.start }
            case .average: result.average = average(found, interval)
            }
        }
        // The range of the query, or the time of the export, cuts off a part.
        result.isPartial = interval.whole.isCut(by: bounds, at: now)
        return result
    }

    /// Returns the indices of the samples without duplicates; the pieces of a sample are adjacent.
    private static func samples(of pieces: [SweptInterval.Piece]) -> [Int] {
        var samples: [Int] = []
        for piece in pieces where piece.index != samples.last { samples.append(piece.index) }
        return samples
    }

    private func average(_ found: [SweptInterval.Piece], _ interval: SweptInterval) -> Double? {
        switch style {
        case .cumulative, .discreteArithmetic:
            let values = interval.values(of: Self.samples(of: found))
            return values.reduce(0, +) / Double(values.count)
        case .discreteTemporallyWeighted:
            return TimeWeightedMean.of(
                found.map { ($0.start, $0.end, interval.samples[$0.index].value) },
                until: interval.bounds.upperBound)
        case .discreteEquivalentContinuousLevel:
            return EquivalentLevel.of(
                found.map { ($0.end - $0.start, interval.samples[$0.index].value) })
        }
    }
}

extension SweptInterval {
    /// Returns the values of samples.
    fileprivate func values(of indices: [Int]) -> [Double] { indices.map { samples[$0].value } }
}

extension SweptSample {
    /// Returns how many of its seconds are in a range; nil if it is not in it.
    fileprivate func length(in range: Range<Int>) -> Int? {
        guard start < end else { return range.contains(start) ? 0 : nil }
        let inside = (start..<end).clamped(to: range).count
        return inside > 0 ? inside : nil
    }
}

extension StatisticsQuery.Interval {
    /// Returns the rule that assigns instants to intervals.
    ///
    /// - Parameters:
    ///   - days: The rule for days.
    ///   - range: The range of the query, in seconds since 1970.
    ///   - first: The start of the first sample: where intervals begin that follow neither the calendar nor a range.
    fileprivate func rule(_ days: Days, _ range: Range<Int>, first: Int) -> @Sendable (Int) -> Range<Int> {
        if isAligned { return days.intervals(of: unit) }
        let anchor =
            range.lowerBound != .min ? range.lowerBound : days.start(of: unit, containing: first)
        @Sendable func edge(_ number: Int) -> Int { days.instant(number * count, unit, after: anchor) }
        return { instant in
            // All units other than an hour last at least 23 hours.
            let least = (unit == .hour ? 3600 : 23 * 3600) * count
            var (low, high) = (0, (instant - anchor) / least)
            while low < high {
                let middle = (low + high + 1) / 2
                if edge(middle) <= instant { low = middle } else { high = middle - 1 }
            }
            return edge(low)..<max(edge(low) + 1, edge(low + 1))
        }
    }

    /// The usual number of seconds.
    fileprivate var usualLength: Int {
        let unit =
            switch unit {
            case .hour: 3600
            case .day: 86_400
            case .week: 7 * 86_400
            case .month: 30 * 86_400
            case .year: 365 * 86_400
            }
        return unit * max(1, count)
    }
}
