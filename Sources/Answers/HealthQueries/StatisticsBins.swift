import CivilTime
import HealthModel

/// The parts of samples that count, grouped into intervals.
struct StatisticsBins {
    /// A part of a sample in an interval.
    private struct Piece {
        let index: Int
        let start: Int
        let end: Int
    }

    private let columns: QuantityColumns
    private let days: Days
    /// The starts of the intervals, and the end of the last.
    private let bounds: [Int]
    private var pieces: [[Piece]]
    /// The interval of the previous piece.
    private var place = 0

    /// The maximum number of intervals.
    private static let most = 1_000_000

    /// Creates the intervals; nil if there are more than a million.
    init?(
        _ interval: StatisticsQuery.Interval, _ days: Days, _ range: Range<Int>, _ columns: QuantityColumns
    ) {
        self.columns = columns
        self.days = days
        guard let bounds = Self.bounds(interval, days, range, columns) else { return nil }
        self.bounds = bounds
        pieces = Array(repeating: [], count: max(0, bounds.count - 1))
    }

    /// Returns the starts of the intervals, and the end of the last.
    private static func bounds(
        _ interval: StatisticsQuery.Interval, _ days: Days, _ range: Range<Int>, _ columns: QuantityColumns
    ) -> [Int]? {
        guard let first = columns.starts.first, let last = columns.ends.max() else { return [] }
        let end = min(range.upperBound, max(last, (columns.starts.last ?? last) + 1))
        let earliest = max(first, range.lowerBound)
        guard earliest < end else { return [] }
        let isFromRange = !interval.isAligned && range.lowerBound != .min
        let anchor =
            isFromRange ? range.lowerBound : days.start(of: interval.unit, containing: earliest)
        var steps = isFromRange ? Self.steps(interval, days, from: anchor, to: earliest) : 0
        var start = days.instant(steps, interval.unit, after: anchor)
        var bounds: [Int] = []
        while start < end {
            guard bounds.count < most else { return nil }
            bounds.append(max(start, range.lowerBound))
            steps += interval.count
            if interval.isAligned {
                start = days.start(of: interval.unit, interval.count, after: start)
            } else {
                start = days.instant(steps, interval.unit, after: anchor)
            }
        }
        bounds.append(min(start, range.upperBound))
        return bounds
    }

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

    /// Adds a part of a sample; a sample without a duration counts in full.
    mutating func add(_ index: Int, _ start: Int, _ end: Int) {
        guard let lower = bounds.first, let upper = bounds.last, !pieces.isEmpty else { return }
        let isInstant = columns.starts[index] == columns.ends[index]
        guard start < upper, isInstant ? start >= lower : end > lower else { return }
        seek(max(start, lower))
        if isInstant {
            pieces[place].append(Piece(index: index, start: start, end: start))
            return
        }
        var bin = place
        while bin < pieces.count, bounds[bin] < end {
            let from = max(start, bounds[bin])
            let to = min(end, bounds[bin + 1])
            if from < to { pieces[bin].append(Piece(index: index, start: from, end: to)) }
            bin += 1
        }
    }

    /// Finds the interval of an instant, which is usually that of the previous piece or the next one.
    private mutating func seek(_ instant: Int) {
        if bounds[place] <= instant {
            var steps = 0
            while bounds[place + 1] <= instant, steps < 4 {
                place += 1
                steps += 1
            }
            if bounds[place + 1] > instant { return }
        }
        var (low, high) = (0, pieces.count - 1)
        while low < high {
            let middle = (low + high + 1) / 2
            if bounds[middle] <= instant { low = middle } else { high = middle - 1 }
        }
        place = low
    }

    /// Returns the fraction of a sample that a piece covers.
    private func share(_ piece: Piece) -> Double {
        let length = columns.ends[piece.index] - columns.starts[piece.index]
        return length == 0 ? 1 : Double(piece.end - piece.start) / Double(length)
    }

    private func amount(_ piece: Piece) -> Double { columns.values[piece.index] * share(piece) }

    /// Keeps only one source in each interval: that with the greatest sum or, for values that are not added up, the
    /// most samples.
    mutating func keepGreatestSource(isSummed: Bool) {
        for bin in pieces.indices {
            var totals: [Int: Double] = [:]
            for piece in pieces[bin] {
                totals[columns.sourceNumbers[piece.index], default: 0] += isSummed ? amount(piece) : 1
            }
            let names = columns.sources
            let greatest = totals.max { left, right in
                left.value != right.value
                    ? left.value < right.value
                    : names[right.key].name.utf8.lexicographicallyPrecedes(names[left.key].name.utf8)
            }
            pieces[bin].removeAll { columns.sourceNumbers[$0.index] != greatest?.key }
        }
    }

    /// Returns the statistics of the intervals that have samples.
    func statistics(_ options: [StatisticsOption], _ style: AggregationStyle) -> [Statistics] {
        pieces.indices.compactMap { bin in
            let found = pieces[bin]
            guard !found.isEmpty else { return nil }
            var result = Statistics(
                start: days.timestamp(bounds[bin]), end: days.timestamp(bounds[bin + 1]))
            result.count = Self.samples(of: found).count
            let values = found.lazy.map { columns.values[$0.index] }
            for option in options {
                switch option {
                case .sum: result.sum = found.reduce(0) { $0 + amount($1) }
                case .minimum: result.minimum = values.min()
                case .maximum: result.maximum = values.max()
                case .mostRecent:
                    let latest = found.max {
                        (columns.starts[$0.index], columns.ends[$0.index], $0.index)
                            < (columns.starts[$1.index], columns.ends[$1.index], $1.index)
                    }
                    result.mostRecent = latest.map { columns.values[$0.index] }
                case .duration: result.duration = found.reduce(0) { $0 + $1.end - $1.start }
                case .average:
                    result.average = average(found, style, end: bounds[bin + 1])
                }
            }
            return result
        }
    }

    /// Returns the indices of the samples without duplicates; the pieces of a sample in an interval are adjacent.
    private static func samples(of pieces: [Piece]) -> [Int] {
        var samples: [Int] = []
        for piece in pieces where piece.index != samples.last { samples.append(piece.index) }
        return samples
    }

    private func average(_ found: [Piece], _ style: AggregationStyle, end: Int) -> Double? {
        switch style {
        case .cumulative, .discreteArithmetic:
            let samples = Self.samples(of: found)
            return samples.reduce(0) { $0 + columns.values[$1] } / Double(samples.count)
        case .discreteTemporallyWeighted:
            return TimeWeightedMean.of(
                found.map { ($0.start, $0.end, columns.values[$0.index]) }, until: end)
        case .discreteEquivalentContinuousLevel:
            return EquivalentLevel.of(found.map { ($0.end - $0.start, columns.values[$0.index]) })
        }
    }
}
