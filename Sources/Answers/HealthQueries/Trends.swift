public import ByteText

/// The median day of a month or year, and its change from the one before.
public struct TrendPeriod: Sendable, Equatable {
    /// The first day of the period.
    public let start: CivilDate
    /// The median of the days with data.
    public let median: Double
    /// The difference to the previous period with data; nil for the first.
    public let change: Double?
    /// The number of days with data.
    public let days: Int
}

extension DailyValues {
    /// Returns the medians of weeks, months or years.
    ///
    /// - Parameter unit: The length of the periods.
    public func trend(by unit: CalendarUnit = .month) -> [TrendPeriod] {
        var periods: [TrendPeriod] = []
        for (start, days) in periodsWithDays(by: unit) {
            let median = days.map(\.value).median
            periods.append(
                TrendPeriod(
                    start: start, median: median, change: periods.last.map { median - $0.median },
                    days: days.count))
        }
        return periods
    }
}

extension [Double] {
    /// The median; 0 if there are no values.
    package var median: Double { quantile(0.5) ?? 0 }

    /// Returns the value below which a share of the values lies, between the two nearest ones in proportion; nil if there are
    /// no values.
    ///
    /// - Parameter share: 0 for the least value, 1 for the greatest.
    func quantile(_ share: Double) -> Double? {
        guard !isEmpty else { return nil }
        let sorted = sorted()
        let place = share * Double(sorted.count - 1)
        let (low, part) = (Int(place), place - place.rounded(.down))
        // Of two values with an even share, their mean, as a person computes it.
        if part == 0.5 { return (sorted[low] + sorted[low + 1]) / 2 }
        return part == 0 ? sorted[low] : sorted[low] + part * (sorted[low + 1] - sorted[low])
    }
}

/// How the days of two quantities vary together.
///
/// A correlation does not show that one causes the other.
public struct DailyCorrelation: Sendable, Equatable {
    /// Number of days on which both have values.
    public var n: Int { pairs.count }
    /// Number of days on which only one has a value.
    public let unpaired: Int
    /// The days of the first quantity on which both have values.
    public let pairs: [Pair]
    /// Spearman's rank correlation, -1 to 1; nil for fewer than three days, or if one of them never varies.
    public let coefficient: Double?

    /// A value of each quantity.
    public struct Pair: Sendable, Equatable {
        /// The day of the first.
        public let day: CivilDate
        /// The value of the first.
        public let first: Double
        /// The value of the second, on that day or as much later as was asked for.
        public let second: Double
    }

    /// Computes the correlation of two quantities.
    ///
    /// - Parameters:
    ///   - first: The values of one.
    ///   - second: The values of the other.
    ///   - lag: The number of days by which the second is later.
    public init(_ first: DailyValues, _ second: DailyValues, lag: Int = 0) {
        let others = Dictionary(uniqueKeysWithValues: second.days.map { ($0.date.daysSince1970, $0.value) })
        pairs = first.days.compactMap { day in
            others[day.date.daysSince1970 + lag].map { Pair(day: day.date, first: day.value, second: $0) }
        }
        unpaired = first.days.count + second.days.count - 2 * pairs.count
        coefficient =
            pairs.count < 3
            ? nil : Self.pearson(Self.ranks(pairs.map(\.first)), Self.ranks(pairs.map(\.second)))
    }

    /// Returns the ranks of values; equal ones share the mean of their ranks.
    private static func ranks(_ values: [Double]) -> [Double] {
        let order = values.indices.sorted { values[$0] < values[$1] }
        var ranks = [Double](repeating: 0, count: values.count)
        var start = 0
        while start < order.count {
            var end = start + 1
            while end < order.count, values[order[end]] == values[order[start]] { end += 1 }
            for place in start..<end { ranks[order[place]] = Double(start + end - 1) / 2 }
            start = end
        }
        return ranks
    }

    private static func pearson(_ first: [Double], _ second: [Double]) -> Double? {
        let count = Double(first.count)
        let means = (first.reduce(0, +) / count, second.reduce(0, +) / count)
        var (both, mine, theirs) = (0.0, 0.0, 0.0)
        for (left, right) in zip(first, second) {
            both += (left - means.0) * (right - means.1)
            mine += (left - means.0) * (left - means.0)
            theirs += (right - means.1) * (right - means.1)
        }
        return mine > 0 && theirs > 0 ? both / (mine * theirs).squareRoot() : nil
    }
}
