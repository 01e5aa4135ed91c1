import ByteText
import HealthModel
public import HealthQueries
import Tables

/// Charts of statistics.
public enum StatisticsChart: Sendable {
    /// Returns a chart of statistics, with a panel for each unit.
    ///
    /// Sums are drawn as bars; averages as lines in a range from the minimum to the maximum.
    ///
    /// - Parameters:
    ///   - results: The statistics of one or more types, by the same intervals.
    ///   - range: The range of the axis, in seconds since 1970; if nil, from the first to the last value. Without a start, it
    ///     begins with the values that do not lie far before all others.
    public static func chart(_ results: [StatisticsResult], in range: Range<Int>? = nil) -> Chart {
        let days = results.first?.days ?? .utc
        let lone = range.map(\.lowerBound) ?? .min == .min ? results.loneStart : nil
        let series = results.map { ChartSeries($0, from: lone?.rest ?? .min) }
        let first = series.compactMap(\.span?.lowerBound).min() ?? 0
        let last = series.compactMap(\.span?.upperBound).max() ?? 1
        let shown = range.map { range in
            let start = max(range.lowerBound, first - longest)
            // Values may all be outside it.
            return start..<max(start + 1, min(range.upperBound, last + longest))
        }
        let titles = results.map(\.query.type.title)
        let unit = results.first?.query.interval.unit ?? .day
        let note = lone.map { lone in
            lone.note("sample") { unit.label(startingOn: days.day(of: $0)) } + "."
        }
        return Chart(
            title: titles.joined(separator: " and ") + " by " + unit.rawValue,
            caption: (series.map { $0.caption(in: shown) } + [note].compactMap(\.self)).joined(
                separator: " "),
            axis: .time(shown ?? first..<max(first + 1, last), days),
            panels: panels(series)
        ).withYearsAsCategories(if: unit == .year)
    }

    /// How far an axis may reach beyond its values: a hundred years.
    private static let longest = 36_525 * 86400

    private static func panels(_ series: [ChartSeries]) -> [ChartPanel] {
        var panels: [ChartPanel] = []
        for each in series {
            let result = each.result
            let format: ChartNumber.Format = result.unit == .percent ? .percent : .number
            let unit = UnitText.text(result.unit, of: result.query.type.erased)
            let entries = each.entries(name: series.count > 1 ? result.query.type.title : nil)
            if let same = panels.firstIndex(where: { $0.unit == unit && $0.format == format }) {
                panels[same].entries += entries
            } else {
                panels.append(ChartPanel(unit: unit, format: format, entries: entries))
            }
        }
        return panels
    }
}

/// What a chart shows of statistics, from one pass over the intervals: their points, rather than all that is known of them.
private struct ChartSeries: Sendable {
    let result: StatisticsResult
    /// The values of the options that have an entry each.
    private var points: [[ChartPoint]]
    private let options: [StatisticsOption]
    private var ranges: [ChartPoint] = []
    private let hasRanges: Bool
    private var samples = 0
    private var intervals = 0
    /// From the start of the first interval to the end of the last, in seconds since 1970; nil if there is none.
    private(set) var span: Range<Int>?

    /// - Parameter first: When the first interval of the chart starts, in seconds since 1970.
    init(_ result: StatisticsResult, from first: Int) {
        self.result = result
        let bounds: [StatisticsOption] = [.minimum, .maximum]
        let hasBounds = bounds.allSatisfy(result.options.contains)
        hasRanges = hasBounds
        options = result.options.filter { !hasBounds || !bounds.contains($0) }
        points = options.map { _ in [] }
        for interval in result.intervals where interval.start.seconds >= first {
            samples += interval.count
            intervals += 1
            let (start, end) = (interval.start.seconds, interval.end.seconds)
            span = (span?.lowerBound ?? start)..<end
            if hasRanges, let low = interval.minimum, let high = interval.maximum {
                ranges.append(ChartPoint(Double(start), Double(end), low: low, high: high))
            }
            for (place, option) in options.enumerated() {
                guard let value = interval[option] else { continue }
                points[place].append(ChartPoint(Double(start), Double(end), value))
            }
        }
    }

    /// Returns the entries.
    ///
    /// - Parameter name: What their titles begin with; nil for nothing.
    func entries(name: String?) -> [ChartEntry] {
        func title(_ text: String) -> String { name.map { "\($0), \(text)" } ?? text }
        return (hasRanges ? [ChartEntry(title("lowest to highest"), .range, ranges)] : [])
            + zip(options, points).map { option, points in
                let kind: ChartEntry.Kind = option == .sum || option == .duration ? .bar : .line
                return ChartEntry(title(option.title), kind, points)
            }
    }

    /// Returns what the result is based on: samples, intervals, sources and the rule.
    func caption(in range: Range<Int>?) -> String {
        let unit = result.query.interval.unit
        let names = result.sources.isEmpty ? "none" : result.sources.joined(separator: ", ")
        return """
            \(result.query.type.title): \(ChartNumber.count(samples, "sample")) in \
            \(ChartNumber.count(intervals)) of \(ChartNumber.count(total(in: range))) \(unit.rawValue)s; \
            \(result.query.merge.rule); sources: \(names); days in \(result.days.zone).
            """
    }

    /// Returns the number of intervals, with or without samples.
    private func total(in range: Range<Int>?) -> Int {
        guard let span else { return 0 }
        let range = range ?? span
        let unit = result.query.interval.unit
        // Two samples may be thousands of years apart.
        if unit == .hour { return (range.count + 3599) / 3600 }
        var (total, start) = (0, range.lowerBound)
        while start < range.upperBound {
            total += 1
            start = result.days.start(of: unit, 1, after: start)
        }
        return total
    }
}

extension StatisticsOption {
    /// The name in a legend.
    var title: String {
        switch self {
        case .sum: "sum"
        case .average: "average"
        case .minimum: "lowest"
        case .maximum: "highest"
        case .median: "median"
        case .percentile95: "95th percentile"
        case .mostRecent: "latest"
        case .duration: "duration"
        }
    }
}

extension Chart {
    /// Returns the chart with a label under each year, rather than at its start.
    fileprivate func withYearsAsCategories(if areYears: Bool) -> Chart {
        guard areYears, case .time(_, let days) = axis else { return self }
        func year(_ point: ChartPoint) -> Int { days.day(of: Int((point.start + point.end) / 2)).year }
        let years = panels.flatMap(\.entries).flatMap(\.points).map(year)
        guard let first = years.min(), let last = years.max() else { return self }
        var chart = self
        chart.axis = .categories((first...last).map { "\($0)" })
        chart.panels = panels.map { panel in
            var panel = panel
            for index in panel.entries.indices {
                panel.entries[index].points = panel.entries[index].points.map { point in
                    var point = point
                    let place = Double(year(point) - first)
                    (point.start, point.end) = (place, place + 1)
                    return point
                }
            }
            return panel
        }
        return chart
    }
}
