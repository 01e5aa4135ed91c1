import CivilTime
import HealthModel
public import HealthQueries

/// Charts of statistics.
public enum StatisticsChart: Sendable {
    /// Returns a chart of statistics, with a panel for each unit.
    ///
    /// Sums are drawn as bars; averages as lines in a range from the minimum to the maximum.
    ///
    /// - Parameters:
    ///   - results: The statistics of one or more types, by the same intervals.
    ///   - range: The range of the axis, in seconds since 1970; if nil, from the first to the last value.
    public static func chart(_ results: [StatisticsResult], in range: Range<Int>? = nil) -> Chart {
        let days = results.first?.days ?? .utc
        // Each iteration computes all intervals anew.
        let intervals = results.map { Array($0.intervals) }
        let first = intervals.joined().lazy.map(\.start.seconds).min() ?? 0
        let last = intervals.joined().lazy.map(\.end.seconds).max() ?? 1
        let shown = range.map { range in
            let start = max(range.lowerBound, first - longest)
            // Values may all be outside it.
            return start..<max(start + 1, min(range.upperBound, last + longest))
        }
        let titles = results.map(\.query.type.title)
        let unit = results.first?.query.interval.unit.rawValue ?? ""
        return Chart(
            title: titles.joined(separator: " and ") + " by " + unit,
            caption: zip(results, intervals).map { caption($0, $1, in: shown) }.joined(separator: " "),
            axis: .time(shown ?? first..<max(first + 1, last), days),
            panels: panels(results, intervals)
        ).withYearsAsCategories(if: results.first?.query.interval.unit == .year)
    }

    /// How far an axis may reach beyond its values: a hundred years.
    private static let longest = 36_525 * 86400

    private static func panels(_ results: [StatisticsResult], _ intervals: [[Statistics]]) -> [ChartPanel] {
        var panels: [ChartPanel] = []
        let isSeveral = results.count > 1
        for (result, intervals) in zip(results, intervals) {
            let format: ChartNumber.Format = result.unit == .percent ? .percent : .number
            let unit = UnitText.text(result.unit)
            let entries = entries(result, intervals, name: isSeveral ? result.query.type.title : nil)
            if let same = panels.firstIndex(where: { $0.unit == unit && $0.format == format }) {
                panels[same].entries += entries
            } else {
                panels.append(ChartPanel(unit: unit, format: format, entries: entries))
            }
        }
        return panels
    }

    private static func entries(
        _ result: StatisticsResult, _ intervals: [Statistics], name: String?
    ) -> [ChartEntry] {
        func points(_ option: StatisticsOption) -> [ChartPoint] {
            intervals.compactMap { interval in
                interval[option].map {
                    ChartPoint(Double(interval.start.seconds), Double(interval.end.seconds), $0)
                }
            }
        }
        func title(_ text: String) -> String { name.map { "\($0), \(text)" } ?? text }
        var options = result.options
        var entries: [ChartEntry] = []
        if options.contains(.minimum), options.contains(.maximum) {
            options.removeAll { $0 == .minimum || $0 == .maximum }
            let ranges = intervals.compactMap { interval -> ChartPoint? in
                guard let low = interval.minimum, let high = interval.maximum else { return nil }
                return ChartPoint(
                    Double(interval.start.seconds), Double(interval.end.seconds), low: low, high: high)
            }
            entries.append(ChartEntry(title("lowest to highest"), .range, ranges))
        }
        for option in options {
            let kind: ChartEntry.Kind = option == .sum || option == .duration ? .bar : .line
            entries.append(ChartEntry(title(option.title), kind, points(option)))
        }
        return entries
    }

    /// Returns what a result is based on: samples, intervals, sources and the rule.
    private static func caption(
        _ result: StatisticsResult, _ intervals: [Statistics], in range: Range<Int>?
    ) -> String {
        let samples = intervals.reduce(0) { $0 + $1.count }
        let unit = result.query.interval.unit
        let covered = intervals.count
        var total = 0
        if let first = intervals.first, let last = intervals.last {
            var start = range?.lowerBound ?? first.start.seconds
            while start < range?.upperBound ?? last.end.seconds {
                total += 1
                start = result.days.start(of: unit, 1, after: start)
            }
        }
        let names = result.sources.isEmpty ? "none" : result.sources.joined(separator: ", ")
        return """
            \(result.query.type.title): \(ChartNumber.count(samples, "sample")) in \
            \(ChartNumber.count(covered)) of \(ChartNumber.count(total)) \(unit.rawValue)s; \
            \(result.query.merge.rule); sources: \(names); days in \(result.days.zone).
            """
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
