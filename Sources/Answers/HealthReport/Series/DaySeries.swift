import ByteText
import HealthQueries

/// The values of one quantity, day by day.
struct DaySeries: Sendable {
    /// The value of a day.
    struct Value: Sendable {
        /// Days since 1970-01-01.
        let day: Int32
        /// The sum, or the average.
        let value: Double
        /// The lowest value, for averages.
        let low: Float
        /// The highest value, for averages.
        let high: Float
    }

    /// What a source recorded.
    struct Source: Sendable {
        let name: String
        let count: Int
        /// The sum of its values before merging.
        let sum: Double
    }

    var title: String
    /// The unit as shown; empty for plain numbers and percentages.
    var unit: String
    var format: ChartNumber.Format
    /// Whether the value of a day is a sum, rather than an average.
    var isSummed: Bool
    /// The days with samples, in chronological order.
    var values: [Value] = []
    var sources: [Source] = []
    /// How several sources were merged.
    var rule: String
    /// Samples that were ignored.
    var skipped = 0
    /// Why they were.
    var lack = "without a convertible unit, or of more than a year"

    /// The sum of all days.
    var total: Double { values.reduce(0) { $0 + $1.value } }
    /// The sum of what all sources recorded, each by itself.
    var rawTotal: Double { sources.reduce(0) { $0 + $1.sum } }
    var sampleCount: Int { sources.reduce(0) { $0 + $1.count } }

    /// The value with its unit, as text.
    func text(_ value: Double) -> String {
        ChartNumber.text(value, format) + (unit.isEmpty ? "" : " \(unit)")
    }

    /// Returns the days in groups: those of each month, for example.
    func grouped<Key: Hashable & Comparable>(
        _ key: (CivilDate) -> Key
    ) -> [(key: Key, values: [Value])] {
        var groups: [(key: Key, values: [Value])] = []
        // Days are in order, so those of a period are adjacent.
        for value in values {
            let group = key(CivilDate(daysSince1970: Int(value.day)))
            if groups.last?.key == group {
                groups[groups.count - 1].values.append(value)
            } else {
                groups.append((group, [value]))
            }
        }
        return groups
    }
}

extension [DaySeries.Value] {
    /// The mean of the days' values; 0 if there are none.
    var mean: Double { isEmpty ? 0 : reduce(0) { $0 + $1.value } / Double(count) }
    /// The median of the days' values; 0 if there are none.
    var median: Double { map(\.value).median }
    var lowest: Double { lazy.map { Double($0.low) }.min() ?? 0 }
    var highest: Double { lazy.map { Double($0.high) }.max() ?? 0 }
}

/// A period of a report: its axis, and how days are grouped in charts.
struct ReportPeriod: Sendable {
    let days: Days
    /// The days from the first to the last one with data, in seconds since 1970.
    let range: Range<Int>
    /// The unit of the points of a chart.
    let unit: CalendarUnit
    /// The days far before the range; nil if there are none.
    private let lone: LoneStart?

    init(days: Days, range: Range<Int>, lone: LoneStart? = nil) {
        self.days = days
        self.range = range
        self.lone = lone
        unit =
            switch range.count {
            case ...(95 * 86400): .day
            case ...(800 * 86400): .week
            default: .month
            }
    }

    var axis: ChartAxis { .time(range, days) }
    /// What lies far before the range, in words; nil if nothing does.
    var loneNote: String? {
        lone.map { $0.note("day") { days.day(of: $0).description } + "." }
    }

    /// Returns whether a day lies far before the range.
    func isBefore(_ day: Int) -> Bool { lone != nil && days.start(ofDay: day) < range.lowerBound }

    var dayCount: Int {
        range.isEmpty
            ? 0 : days.dayNumber(of: range.upperBound - 1) - days.dayNumber(of: range.lowerBound) + 1
    }

    /// Returns the start and the end of the interval that contains a day, in seconds since 1970.
    func interval(_ unit: CalendarUnit, ofDay day: Int) -> Range<Int> {
        let start = days.start(of: unit, containing: days.start(ofDay: day))
        return start..<max(start + 1, days.start(of: unit, 1, after: start))
    }

    /// Returns the last day, if the export was made on it: it is not complete.
    func isComplete(_ day: Int) -> Bool { days.start(ofDay: day + 1) <= range.upperBound }
}
