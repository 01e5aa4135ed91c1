import ByteText

/// The figures of a quantity: over time, by year, and by day of the week.
struct SeriesFigures {
    let series: DaySeries
    let period: ReportPeriod

    /// Returns the chart of the whole period.
    func overTime() -> ReportFigure {
        let unit = period.unit
        let groups = groups(unit)
        let axis = period.axis
        var table =
            series.isSummed
            ? ReportTable("Period", "#Mean of a day", "#Total", "#Days with data")
            : ReportTable("Period", "#Median", "#Lowest", "#Highest", "#Days with data")
        var ranges: [ChartPoint] = []
        var points: [ChartPoint] = []
        for (interval, values) in groups {
            let (start, end) = (Double(interval.lowerBound), Double(interval.upperBound))
            let value = series.isSummed ? values.mean : values.median
            points.append(ChartPoint(start, end, value))
            let label = axis.label(ChartPoint(start, end, value))
            if series.isSummed {
                let total = values.reduce(0) { $0 + $1.value }
                table.rows.append([label, number(value), number(total), "\(values.count)"])
            } else {
                ranges.append(ChartPoint(start, end, low: values.lowest, high: values.highest))
                table.rows.append(
                    [label, number(value), number(values.lowest), number(values.highest), "\(values.count)"])
            }
        }
        let entries =
            series.isSummed
            ? [ChartEntry("daily mean", .bar, points)]
            : [
                ChartEntry("lowest to highest", .range, ranges),
                ChartEntry("median of daily averages", .line, points),
            ]
        let chart = Chart(title: summary, caption: caption(unit), axis: axis, panels: [panel(entries)])
        return ReportFigure(chart: chart, table: table)
    }

    /// Returns the intervals of a unit with the days in them.
    private func groups(_ unit: CalendarUnit) -> [(interval: Range<Int>, values: [DaySeries.Value])] {
        var groups: [(interval: Range<Int>, values: [DaySeries.Value])] = []
        for value in series.values {
            let start = period.days.start(ofDay: Int(value.day))
            if let last = groups.last?.interval, last.contains(start) {
                groups[groups.count - 1].values.append(value)
            } else {
                groups.append((period.interval(unit, ofDay: Int(value.day)), [value]))
            }
        }
        return groups
    }

    /// What is to be seen, in words.
    private var summary: String {
        let days = series.values
        if series.isSummed { return "\(series.title): \(series.text(days.mean)) a day on average" }
        return "\(series.title): \(series.text(days.median)) in the median, from "
            + "\(ChartNumber.text(days.lowest, series.format)) to \(series.text(days.highest))"
    }

    private func caption(_ unit: CalendarUnit) -> String {
        let names = series.sources.map(\.name).joined(separator: ", ")
        let value = series.isSummed ? "mean of the days with data" : "median of the days with data"
        let skipped =
            series.skipped == 0
            ? ""
            : " Not counted: \(ChartNumber.count(series.skipped, "sample")) \(series.lack)."
        return """
            \(unit == .day ? "Each day" : "By \(unit.rawValue), the \(value)"); \
            \(ChartNumber.count(series.sampleCount, "sample")) on \(ChartNumber.count(series.values.count)) of \
            \(ChartNumber.count(period.dayCount)) days; sources: \(names); \(series.rule); days in \
            \(period.days.zone).\(skipped)
            """
    }

    private func number(_ value: Double) -> String { ChartNumber.text(value, series.format) }
    private func panel(_ entries: [ChartEntry]) -> ChartPanel {
        ChartPanel(unit: series.unit, format: series.format, entries: entries)
    }

    /// Returns the chart of the years.
    func byYear() -> ReportFigure {
        let groups = series.grouped(\.year)
        var table = ReportTable("Year", "#Mean of a day", "#Total", "#Days with data")
        var points: [ChartPoint] = []
        for (index, group) in groups.enumerated() {
            points.append(ChartPoint(category: index, group.values.mean))
            let total = group.values.reduce(0) { $0 + $1.value }
            table.rows.append(
                ["\(group.key)", number(group.values.mean), number(total), "\(group.values.count)"])
        }
        let best = groups.max { $0.values.mean < $1.values.mean }
        let title = best.map {
            "\(series.title) by year: most in \($0.key), \(series.text($0.values.mean)) a day"
        }
        return ReportFigure(
            chart: Chart(
                title: title ?? series.title,
                caption: "The mean of the days with data, of which each year may have a different number.",
                axis: .categories(groups.map { "\($0.key)" }),
                panels: [panel([ChartEntry("daily mean", .bar, points)])]), table: table)
    }

    /// Returns the chart of the days of the week.
    func byWeekday() -> ReportFigure {
        let order = Weekdays.order(period.days)
        // 1970-01-01 was a Thursday, the fourth day of the week.
        let groups = Dictionary(grouping: series.values) { value in
            let passed = Int(value.day) + 3
            return passed - passed.flooredQuotient(by: 7) * 7
        }
        var table = ReportTable("Day", "#Mean of a day", "#Days with data")
        var points: [ChartPoint] = []
        for (index, day) in order.enumerated() {
            guard let values = groups[day] else { continue }
            points.append(ChartPoint(category: index, values.mean))
            table.rows.append([Weekdays.short[day], number(values.mean), "\(values.count)"])
        }
        let best = groups.max { ($0.value.mean, $1.key) < ($1.value.mean, $0.key) }
        let title = best.map { "\(series.title) by day of the week: most on \(Weekdays.plurals[$0.key])" }
        return ReportFigure(
            chart: Chart(
                title: title ?? series.title, caption: "The mean of the days with data.",
                axis: .categories(order.map { Weekdays.short[$0] }),
                panels: [panel([ChartEntry("daily mean", .bar, points)])]), table: table)
    }
}
