import ByteText
import HealthQueries

/// The section about nights.
struct SleepSection {
    let nights: [Night]
    let period: ReportPeriod
    /// The number of samples that last too long to count.
    var overlong = 0
    /// The other time zone that most samples name.
    var elsewhere: SleepZones.Elsewhere?

    /// The hours asleep of each day on which sleep ended.
    var hours: DaySeries {
        var series = DaySeries(
            title: "Sleep", unit: "hours", format: .duration, isSummed: true,
            rule: "time that several sources recorded counts once, and time in bed does not count")
        for (day, nights) in Dictionary(grouping: nights, by: \.day).sorted(by: { $0.key < $1.key }) {
            let seconds = nights.reduce(0) { $0 + $1.asleep }
            guard seconds > 0 else { continue }
            let value = Double(seconds) / 3600
            series.values.append(
                DaySeries.Value(
                    day: Int32(clamping: day), value: value, low: Float(value), high: Float(value)))
        }
        let counts = nights.reduce(into: [String: Int]()) { $0.merge($1.sampleCounts) { $0 + $1 } }
        series.sources = counts.sorted { $0.key < $1.key }.map {
            DaySeries.Source(name: $0.key, count: $0.value, sum: 0)
        }
        series.skipped = overlong
        series.lack = "of more than a day"
        return series
    }

    /// The longest sleep that ends on each day, including short gaps, in chronological order.
    private var mainNights: [Night] {
        var joined: [Night] = []
        for night in nights.sorted(by: { $0.start < $1.start }) {
            if let last = joined.last, night.start - last.end < SleepSession.longestInterruption {
                joined[joined.count - 1] = last.continued(by: night)
            } else {
                joined.append(night)
            }
        }
        return Dictionary(grouping: joined, by: \.day).compactMap { day in
            day.value.max { ($0.asleep, $0.start) < ($1.asleep, $1.start) }
        }.filter { $0.asleep > 0 }.sorted { $0.day < $1.day }
    }

    var blocks: [ReportBlock] {
        let hours = hours
        guard !hours.values.isEmpty else { return [] }
        let figures = SeriesFigures(series: hours, period: period)
        var facts: [(name: String, value: String)] = [
            ("median night", ChartNumber.text(hours.values.median, .duration) + " h"),
            ("days with sleep", ChartNumber.count(hours.values.count)),
            ("under six hours", ChartNumber.count(hours.values.count { $0.value < 6 })),
        ]
        if let index = SleepRegularity.index(nights, period.days) {
            facts.append(("regularity, of 100", ChartNumber.fixed(index, digits: 0)))
        }
        let main = mainNights
        var blocks: [ReportBlock] = [.facts(facts), .figure(figures.overTime()), .figure(bedtimes(main))]
        if main.contains(where: \.isStaged) { blocks.append(.figure(stages(main.suffix(30)))) }
        if hours.values.count >= 28 { blocks.append(.figure(figures.byWeekday())) }
        if let elsewhere {
            let text = "\(elsewhere)"
            blocks.append(
                .text(
                    "\(text.prefix(1).uppercased() + text.dropFirst()): --tz \(elsewhere.zone) shows the hours there."
                ))
        }
        blocks.append(
            .text(
                """
                A night belongs to the day on which it ends; a gap of an hour ends it. Times of falling asleep and \
                waking, and stages, are those of the day's main sleep: the longest that ends on the day, where gaps of \
                less than two hours are interruptions. The regularity is the sleep \
                regularity index: how often the person was in the same state, asleep or awake, at the same time of \
                two consecutive days; 0 is by chance, 100 every day the same.
                """))
        return blocks
    }

    /// The hours that clocks show, counted from the midnight at which an evening ends.
    private func hour(_ instant: Int, _ night: Night) -> Double {
        Double(instant + period.days.offset(at: instant) - night.day * 86400) / 3600
    }

    private func bedtimes(_ main: [Night]) -> ReportFigure {
        var table = ReportTable("Period", "@Asleep from", "@To", "#Nights")
        var points: [ChartPoint] = []
        var groups: [(interval: Range<Int>, nights: [Night])] = []
        for night in main {
            if let last = groups.last?.interval, last.contains(period.days.start(ofDay: night.day)) {
                groups[groups.count - 1].nights.append(night)
            } else {
                groups.append((period.interval(period.unit, ofDay: night.day), [night]))
            }
        }
        for (interval, nights) in groups {
            let start = nights.map { hour($0.sleep.first?.lowerBound ?? $0.start, $0) }.median
            let end = nights.map { hour($0.sleep.last?.upperBound ?? $0.end, $0) }.median
            let point = ChartPoint(
                Double(interval.lowerBound), Double(interval.upperBound), low: start, high: end)
            points.append(point)
            table.rows.append(
                [
                    period.axis.label(point), ChartNumber.text(start, .clock), ChartNumber.text(end, .clock),
                    "\(nights.count)",
                ])
        }
        let start = main.map { hour($0.sleep.first?.lowerBound ?? $0.start, $0) }.median
        let end = main.map { hour($0.sleep.last?.upperBound ?? $0.end, $0) }.median
        let chart = Chart(
            title: """
                Asleep from \(ChartNumber.text(start, .clock)) to \(ChartNumber.text(end, .clock)) in the median
                """,
            caption: """
                The medians of falling asleep and waking, of the longest sleep of each day; \
                \(ChartNumber.count(main.count, "night")); times in \(period.days.zone).
                """,
            axis: period.axis,
            panels: [ChartPanel(format: .clock, entries: [ChartEntry("asleep", .range, points)])])
        return ReportFigure(chart: chart, table: table)
    }

    private func stages(_ latest: ArraySlice<Night>) -> ReportFigure {
        let stages: [(title: String, seconds: (Night) -> Int)] = [
            ("deep", { $0.deep }), ("core", { $0.core }), ("REM", { $0.rem }),
            ("not specified", { $0.unspecified }), ("awake", { $0.awake }),
        ]
        var table = ReportTable("Night", "#Deep", "#Core", "#REM", "#Not specified", "#Awake")
        for night in latest {
            table.rows.append(
                [CivilDate(daysSince1970: night.day).description]
                    + stages.map { ChartNumber.text(Double($0.seconds(night)) / 3600, .duration) })
        }
        let nights = Array(latest)
        let entries = stages.enumerated().map { number, stage in
            ChartEntry(
                stage.title, .bar,
                nights.indices.filter { stage.seconds(nights[$0]) > 0 }.map { index in
                    ChartPoint(category: index, Double(stage.seconds(nights[index])) / 3600)
                }, shade: .sleep(number))
        }
        let days = nights.map { CivilDate(daysSince1970: $0.day) }
        // Nights may be years apart: a label in between then needs its year as well.
        let isClose = (nights.last?.day ?? 0) - (nights.first?.day ?? 0) < 300
        let names = zip(days, [nil] + days).map { TimeTicks.dayLabel($0, after: isClose ? $1 : nil) }
        let chart = Chart(
            title: nights.count == 1
                ? "Stages of the latest night" : "Stages of the latest \(nights.count) nights",
            caption: """
                The longest sleep of each day that has any. Only trackers that distinguish stages record them.
                """,
            axis: .categories(names),
            panels: [ChartPanel(unit: "hours", format: .duration, entries: entries, isStacked: true)])
        return ReportFigure(chart: chart, table: table)
    }
}
