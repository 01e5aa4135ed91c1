import ByteText

/// The figures of a quantity: over time, by year, and by day of the week.
struct SeriesFigures {
    let series: DaySeries
    let period: ReportPeriod

    /// Whether nearly every day has data, so that their mean is that of a day.
    private var isCovered: Bool { Double(values.count) >= 0.9 * Double(period.dayCount) }

    /// The values of the period, without those that lie far before it.
    private var values: ArraySlice<DaySeries.Value> { series.values.drop { period.isBefore(Int($0.day)) } }

    /// Whether it is a sum of days that are so few, such as those with a fall, that only totals can be compared.
    private var isSparse: Bool {
        guard series.isSummed, series.format != .duration, !isCovered else { return false }
        let (days, first, last) = (values.count, values.first?.day, values.last?.day)
        return days < 7 || 2 * days < Int(last ?? 0) - Int(first ?? 0) + 1
    }

    /// Returns the chart of the whole period.
    func overTime() -> ReportFigure {
        series.isSummed ? sums() : averages()
    }

    private func sums() -> ReportFigure {
        var table = ReportTable("Period", "#Mean of the days with data", "#Total", "#Days with data")
        var points: [ChartPoint] = []
        for (interval, values) in groups(period.unit) {
            let (start, end) = (Double(interval.lowerBound), Double(interval.upperBound))
            let total = values.reduce(0) { $0 + $1.value }
            let point = ChartPoint(start, end, isSparse ? total : values.mean)
            points.append(point)
            table.rows.append([
                period.axis.label(point), number(values.mean), number(total), "\(values.count)",
            ])
        }
        let entry = ChartEntry(isSparse ? "total" : "daily mean", .bar, points)
        let chart = Chart(title: summary, caption: caption, axis: period.axis, panels: [panel([entry])])
        return ReportFigure(chart: chart, table: table)
    }

    private func averages() -> ReportFigure {
        var table = ReportTable("Period", "#Median", "#Lowest", "#Highest", "#Days with data")
        for (interval, values) in groups(period.unit) {
            table.rows.append([label(interval)] + numbers(values) + ["\(values.count)"])
        }
        let chart = Chart(
            title: summary, caption: caption, axis: period.axis, panels: [panel(averageEntries())])
        return ReportFigure(chart: chart, table: table)
    }

    /// Returns the ranges of averages, and in front of them their medians.
    ///
    /// - Parameter name: What the titles of the entries begin with.
    private func averageEntries(_ name: String = "") -> [ChartEntry] {
        let groups = groups(period.unit).map { interval, values in
            (start: Double(interval.lowerBound), end: Double(interval.upperBound), values: values)
        }
        return [
            ChartEntry(
                name + "lowest to highest", .range,
                groups.map { ChartPoint($0.start, $0.end, low: $0.values.lowest, high: $0.values.highest) }),
            ChartEntry(
                name.isEmpty ? "median of daily averages" : name + "median", .line,
                groups.map { ChartPoint($0.start, $0.end, $0.values.median) }),
        ]
    }

    private func label(_ interval: Range<Int>) -> String {
        period.axis.label(ChartPoint(Double(interval.lowerBound), Double(interval.upperBound), 0))
    }

    /// Returns the median, the lowest and the highest value.
    private func numbers(_ values: [DaySeries.Value]) -> [String] {
        [values.median, values.lowest, values.highest].map(number)
    }

    /// Returns the chart of blood pressures, of which this is the systolic part.
    func bloodPressure(diastolic other: SeriesFigures) -> ReportFigure {
        var table = ReportTable(
            "Period", "#Systolic median", "#Lowest", "#Highest", "#Diastolic median", "#Lowest", "#Highest",
            "#Days with data")
        var rows: [Int: (label: String, parts: [[DaySeries.Value]])] = [:]
        for (part, figures) in [self, other].enumerated() {
            for (interval, values) in figures.groups(period.unit) {
                rows[interval.lowerBound, default: (label(interval), [[], []])].parts[part] = values
            }
        }
        for (_, row) in rows.sorted(by: { $0.key < $1.key }) {
            let texts = row.parts.flatMap { $0.isEmpty ? ["", "", ""] : numbers($0) }
            let days = Set(row.parts.joined().map(\.day)).count
            table.rows.append([row.label] + texts + ["\(days)"])
        }
        let medians = [self, other].map { number($0.series.values.median) }.joined(separator: "/")
        let chart = Chart(
            title: "Blood Pressure: \(medians) \(series.unit) in the median", caption: caption,
            axis: period.axis,
            panels: [panel(averageEntries("systolic, ") + other.averageEntries("diastolic, "))])
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
        guard series.isSummed else {
            return "\(series.title): \(series.text(days.median)) in the median, from "
                + "\(ChartNumber.text(days.lowest, series.format)) to \(series.text(days.highest))"
        }
        let count = "\(ChartNumber.count(values.count)) of \(ChartNumber.count(period.dayCount, "day"))"
        if isCovered { return "\(series.title): \(series.text(days.mean)) a day on average" }
        if isSparse { return "\(series.title): \(series.text(series.total)) in total, on \(count)" }
        return "\(series.title): \(series.text(days.mean)) a day on average, on \(count) with data"
    }

    private var caption: String {
        let names = series.sources.map(\.name).joined(separator: ", ")
        let value =
            series.isSummed
            ? isSparse ? "total" : "mean of the days with data" : "median of the days with data"
        let skipped =
            series.skipped == 0
            ? ""
            : " Not counted: \(ChartNumber.count(series.skipped, "sample")) \(series.lack)."
        return """
            \(period.unit == .day ? "Each day" : "By \(period.unit.rawValue), the \(value)"); \
            \(ChartNumber.count(series.sampleCount, "sample")) on \(ChartNumber.count(values.count)) of \
            \(ChartNumber.count(period.dayCount, "day")); sources: \(names); \(series.rule); days in \
            \(period.days.zone).\(skipped)
            """
    }

    private func number(_ value: Double) -> String { ChartNumber.text(value, series.format) }
    private func panel(_ entries: [ChartEntry]) -> ChartPanel {
        ChartPanel(unit: series.unit, format: series.format, entries: entries)
    }

    /// The number of days with data from which on a year is compared with others: nine tenths of it.
    private static let coveredYear = 329

    /// Returns the chart of the years.
    func byYear() -> ReportFigure {
        let groups = series.grouped(\.year)
        let covered = groups.filter { $0.values.count >= Self.coveredYear }
        var table = ReportTable("Year", "#Mean of the days with data", "#Total", "#Days with data")
        var points: [ChartPoint] = []
        for (index, group) in groups.enumerated() {
            points.append(ChartPoint(category: index, group.values.mean))
            let total = group.values.reduce(0) { $0 + $1.value }
            table.rows.append(
                ["\(group.key)", number(group.values.mean), number(total), "\(group.values.count)"])
        }
        let best = covered.max { $0.values.mean < $1.values.mean }
        let most = best.map { ": most in \($0.key), \(series.text($0.values.mean)) a day" } ?? ""
        let names = groups.map { "\($0.key)" + ($0.values.count >= Self.coveredYear ? "" : "*") }
        let partial =
            covered.count < groups.count
            ? " * less than nine tenths of the days have data, so that the year is not compared with others."
            : ""
        return ReportFigure(
            chart: Chart(
                title: "\(series.title) by year" + (covered.count > 1 ? most : ""),
                caption: "The mean of the days with data.\(partial)", axis: .categories(names),
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
        var table = ReportTable("Day", "#Mean of the days with data", "#Days with data")
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
