import CivilTime
import HealthModel

/// The statistics of the intervals that have samples, in chronological order.
///
/// Each is computed when an iteration reaches it and kept nowhere, so that a sample of many years takes no more memory by
/// the hour than by the year.
public struct StatisticsIntervals: Sequence, Sendable {
    let rows: QuantityRows
    /// The rank of each source.
    let ranks: [Int]
    let query: StatisticsQuery
    let days: Days
    let range: Range<Int>
    let options: [StatisticsOption]
    let now: Int?
    var conversion: UnitConversion?

    /// Starts a pass.
    public func makeIterator() -> Iterator { Iterator(self) }

    /// The first interval; nil if there is none.
    public var first: Statistics? { first { _ in true } }
    /// Whether no interval has samples.
    public var isEmpty: Bool { first == nil }

    /// One pass.
    public struct Iterator: IteratorProtocol, Sendable {
        private let intervals: StatisticsIntervals
        private var rows: QuantityRows.Iterator
        private var sweep: IntervalSweep
        private var rule: IntervalRule

        fileprivate init(_ intervals: StatisticsIntervals) {
            self.intervals = intervals
            rows = intervals.rows.makeIterator()
            sweep = IntervalSweep(intervals.range)
            rule = IntervalRule(
                intervals.query.interval, intervals.days, intervals.range, intervals.rows.firstStart ?? 0)
        }

        /// Returns the next interval; nil after the last.
        public mutating func next() -> Statistics? {
            let ranks = intervals.ranks
            while true {
                let swept = sweep.next {
                    rule.interval(containing: $0)
                } _: {
                    rows.next().map { row in
                        RankedSample(
                            start: row.start, end: row.end, value: row.value, rank: ranks[row.source])
                    }
                }
                guard let swept else { return nil }
                if let result = intervals.statistics(of: swept) { return result }
            }
        }
    }

    private var style: AggregationStyle { query.type.aggregationStyle ?? .discreteArithmetic }

    /// Returns the statistics of an interval; nil if no sample counts.
    private func statistics(of interval: SweptInterval) -> Statistics? {
        var found: [SweptInterval.Piece]
        switch query.merge {
        case .priority: found = interval.piecesByPriority
        case .none: found = interval.allPieces
        case .maximumSource:
            found = interval.allPieces
            keepGreatestSource(&found, interval)
        }
        guard !found.isEmpty else { return nil }
        let bounds = interval.bounds
        var result = Statistics(
            start: days.timestamp(bounds.lowerBound), end: days.timestamp(bounds.upperBound))
        result.count = Self.sampleCount(of: found)
        let values = found.lazy.map { interval.samples[$0.index].value }
        for option in options {
            switch option {
            case .sum: result.sum = found.reduce(0) { $0 + interval.amount($1) }
            case .minimum: result.minimum = values.min()
            case .maximum: result.maximum = values.max()
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
        result.isPartial = isPartial(bounds)
        return conversion.map { conversion in result.converted { conversion($0) } } ?? result
    }

    /// Returns whether the range of the query, or the time of the export, cuts off a part of an interval.
    private func isPartial(_ bounds: Range<Int>) -> Bool {
        if let now, bounds.lowerBound <= now, now < bounds.upperBound - 1 { return true }
        guard query.interval.isAligned else {
            // Only the last one can be cut.
            guard bounds.upperBound == range.upperBound else { return false }
            var rule = IntervalRule(query.interval, days, range, rows.firstStart ?? 0)
            return rule.interval(containing: bounds.lowerBound).upperBound > range.upperBound
        }
        let start = days.start(of: query.interval.unit, containing: bounds.lowerBound)
        return start < bounds.lowerBound
            || days.start(of: query.interval.unit, 1, after: start) > bounds.upperBound
    }

    /// Returns whether the range of the query, or the time of the export, cuts off a part of a longer interval.
    func isCut(_ bounds: Range<Int>) -> Bool {
        bounds.lowerBound < range.lowerBound || bounds.upperBound > range.upperBound
            || (now.map { bounds.lowerBound <= $0 && $0 < bounds.upperBound - 1 } ?? false)
    }

    /// Keeps only one source: that with the greatest sum or, for values that are not added up, the most samples.
    private func keepGreatestSource(_ pieces: inout [SweptInterval.Piece], _ interval: SweptInterval) {
        let isSummed = style == .cumulative || options.contains(.sum)
        var totals: [Int: Double] = [:]
        for piece in pieces {
            totals[interval.samples[piece.index].rank, default: 0] += isSummed ? interval.amount(piece) : 1
        }
        let names = Dictionary(uniqueKeysWithValues: zip(ranks, rows.columns.sources.map(\.name)))
        let greatest = totals.max { left, right in
            left.value != right.value
                ? left.value < right.value
                : (names[right.key] ?? "").utf8.lexicographicallyPrecedes((names[left.key] ?? "").utf8)
        }
        pieces.removeAll { interval.samples[$0.index].rank != greatest?.key }
    }

    /// Returns the indices of the samples without duplicates; the pieces of a sample are adjacent.
    private static func samples(of pieces: [SweptInterval.Piece]) -> [Int] {
        var samples: [Int] = []
        for piece in pieces where piece.index != samples.last { samples.append(piece.index) }
        return samples
    }

    /// Returns the number of samples without duplicates; the pieces of a sample are adjacent.
    private static func sampleCount(of pieces: [SweptInterval.Piece]) -> Int {
        var (count, last) = (0, -1)
        for piece in pieces where piece.index != last {
            count += 1
            last = piece.index
        }
        return count
    }

    private func average(_ found: [SweptInterval.Piece], _ interval: SweptInterval) -> Double? {
        switch style {
        case .cumulative, .discreteArithmetic:
            let samples = Self.samples(of: found)
            return samples.reduce(0) { $0 + interval.samples[$1].value } / Double(samples.count)
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

/// The rule that assigns instants to the intervals of a query.
private struct IntervalRule: Sendable {
    private let interval: StatisticsQuery.Interval
    private let days: Days
    /// The start of the first interval, if intervals do not follow the calendar.
    private let anchor: Int
    /// The number of units from the anchor to the end of the last interval.
    private var steps = 0

    init(_ interval: StatisticsQuery.Interval, _ days: Days, _ range: Range<Int>, _ first: Int) {
        self.interval = interval
        self.days = days
        let earliest = max(first, range.lowerBound)
        anchor =
            range.lowerBound != .min ? range.lowerBound : days.start(of: interval.unit, containing: earliest)
    }

    /// Returns the interval that contains an instant; instants must not be earlier than those before.
    mutating func interval(containing instant: Int) -> Range<Int> {
        if interval.isAligned {
            let start = days.start(of: interval.unit, containing: instant)
            return start..<max(start + 1, days.start(of: interval.unit, 1, after: start))
        }
        if instant >= edge(steps + interval.count) {
            steps = Self.steps(interval, days, from: anchor, to: instant)
        }
        defer { steps += interval.count }
        return edge(steps)..<max(edge(steps) + 1, edge(steps + interval.count))
    }

    private func edge(_ steps: Int) -> Int { days.instant(steps, interval.unit, after: anchor) }

    /// Returns the number of units in the whole intervals between two instants.
    private static func steps(
        _ interval: StatisticsQuery.Interval, _ days: Days, from anchor: Int, to instant: Int
    ) -> Int {
        // All units other than an hour last at least 23 hours.
        let least = interval.unit == .hour ? 3600 : 23 * 3600
        var (low, high) = (0, (instant - anchor) / least / interval.count)
        while low < high {
            let middle = (low + high + 1) / 2
            let reached = days.instant(middle * interval.count, interval.unit, after: anchor)
            if reached <= instant { low = middle } else { high = middle - 1 }
        }
        return low * interval.count
    }
}
