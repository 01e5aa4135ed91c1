import ByteText
import CommandLineKit
import HealthModel
import HealthQueries
import HealthVault
import SystemIO
import Tables
import Wording

/// The command `healthvault stats`.
struct StatsCommand: QuestionCommand {
    /// The orders of intervals.
    enum Order: String, CaseIterable, Sendable {
        case time, value, least
    }

    var answer = AnswerOptions()
    var type = SampleTypeName.other("")
    var givenUnit: CalendarUnit?
    var options: [StatisticsOption] = []
    /// What averages are of, other than samples.
    var averaged: CalendarUnit?
    var order = Order.time
    var limit: Int?
    var comparison: ComparedPeriod?
    var above: Double?
    var below: Double?
    var merge = MergeOptions()
    var units = UnitChoice.source
    var weekStart = WeekStartOption()

    private var unit: CalendarUnit { givenUnit ?? .day }
    /// Whether medians of days are asked for, with their change.
    private var isTrend: Bool { averaged != nil && options == [.median] }

    private static let number = ValueParser<Double>(expected: "a number such as 10000") { text in
        Double(text).flatMap { $0.isFinite ? $0 : nil }
    }

    private static let period = ValueParser<ComparedPeriod>(
        expected: "last-year, previous, or a year, month or day such as 2023 or 2023-05",
        completion: .choice(["last-year", "previous"])
    ) { text in
        switch (text, TimeLimit(parsing: text)) {
        case ("last-year", _): .lastYear
        case ("previous", _): .previous
        case (_, .day(let day)): .days(day...day)
        case (_, .days(let first, let last)): .days(first...last)
        default: nil
        }
    }

    static let grammar = CommandGrammar<Self>(
        name: "stats",
        summary: "Computes statistics by hour, day, week, month or year.",
        discussion: """
            A watch and a phone count the same steps. With --merge priority, only the source with the highest priority \
            counts at each moment: first those given with --priority, then watches, phones and others. A sample that \
            counts for part of its time counts in proportion. max-source uses the source with the highest total in \
            each interval; none adds all sources. Apple has not published its rule, so the Health app may show other \
            totals. Heart rates are averaged over time, sound levels by energy. An interval of which only a part was \
            selected or exported is marked.

            Of a category, such as mindfulSession, the entries that start in an interval are counted, with their \
            duration or, if they have values, the hours of each.

            --of day asks about whole days: --agg avg averages the sums of the days that have samples; --agg median shows \
            the trend: the median day of each week, month or year, its change, and the number of days. --above and --below \
            count days. --compare sets the period, by default this year, beside another one; the change is left out where a \
            day has no data. For these four, TYPE can also be sleepAnalysis (the time asleep of the day on which a \
            night ends), asleepDeep, asleepREM, asleepCore, awake or inBed.
            """,
        examples: [
            HelpExample(
                "healthvault stats health.hvault stepCount --by month", "Show the steps of each month"),
            HelpExample(
                "healthvault stats export.zip heartRate --by week --agg avg,max --csv",
                "Print weekly averages and maxima as CSV"),
            HelpExample(
                "healthvault stats health.hvault stepCount --by month --agg avg --of day",
                "Show the average steps per day in each month"),
            HelpExample(
                "healthvault stats health.hvault stepCount --sort value --limit 10",
                "Show the ten days with most steps"),
            HelpExample(
                "healthvault stats health.hvault stepCount --last 90d --compare last-year",
                "Compare the last ninety days with those of the year before"),
            HelpExample(
                "healthvault stats export.zip restingHeartRate --by year --agg median --of day",
                "Show how the resting heart rate changed over the years"),
            HelpExample(
                "healthvault stats health.hvault stepCount --by year --above 10000",
                "Count the days of each year with more than 10,000 steps"),
        ],
        elements: [
            .including(\.answer, AnswerOptions.arguments),
            .argument(
                \.type, "TYPE", "a quantity or category, such as stepCount", as: KnownSampleType.parser),
            .option(
                \.givenUnit, "by", value: "UNIT", default: "day", "hour, day, week, month or year",
                as: .choice),
            .option(
                \.options, "agg", value: "A,B", default: "what suits the type",
                "one or more of sum, avg, min, max, median, p95 (the 95th percentile), latest and duration",
                as: .list(of: .choice)),
            .option(
                \.averaged, "of", value: "UNIT",
                "average the sums of days (--agg avg --of day), or the median day and its change (--agg median --of day)",
                as: .choice(among: [.day])),
            .option(
                \.order, "sort", value: "ORDER", default: "time",
                "time, value with the greatest first, or least with the least", as: .choice),
            .option(\.limit, "limit", value: "N", "only the first N", as: .integer(in: 1...1_000_000)),
            .option(
                \.comparison, "compare", value: "PERIOD",
                "compare with last-year, previous (as many days before), or a period such as 2023", as: period
            ),
            .option(
                \.above, "above", value: "N",
                "count the days with a value of more than this, of the days with any",
                as: number),
            .option(
                \.below, "below", value: "N", "count the days with a value of less than this", as: number),
            .including(\.merge, MergeOptions.elements),
            .including(\.answer, AnswerOptions.selection),
            .option(
                \.units, "units", value: "SYSTEM", default: "source", "metric, us, uk or source", as: .choice),
            .including(\.weekStart, WeekStartOption.elements),
            .including(\.answer, AnswerOptions.form),
        ])

    func validate() throws(UsageError) {
        try answer.validate()
        try merge.validate()
        if averaged != nil {
            if unit == .hour || unit == .day, !(isTrend && givenUnit == nil) {
                throw UsageError(.invalidCombination, "--of day needs --by week, month or year")
            }
            let fitting: [StatisticsOption] = [.average, .minimum, .maximum, .median, .percentile95]
            if let other = options.first(where: { !fitting.contains($0) }) {
                throw UsageError(
                    .invalidCombination, "--agg \(other.rawValue) cannot be combined with --of day",
                    hint: "available: \(fitting.map(\.rawValue).joined(separator: ", "))")
            }
        }
        if comparison != nil {
            for (isGiven, option) in [
                (averaged != nil, "--of"), (order != .time, "--sort"), (limit != nil, "--limit"),
                (!options.isEmpty, "--agg"), (givenUnit == .hour, "--by hour"),
            ] where isGiven {
                throw UsageError(.invalidCombination, "\(option) cannot be combined with --compare")
            }
        }
        if above != nil || below != nil {
            for (isGiven, option) in [
                (comparison != nil, "--compare"), (averaged != nil, "--of"), (!options.isEmpty, "--agg"),
                (givenUnit == .hour || givenUnit == .day, "--by \(unit.rawValue)"),
            ] where isGiven {
                throw UsageError(
                    .invalidCombination, "\(option) cannot be combined with --above or --below",
                    hint: "they count the days of each week, month or year")
            }
        }
        if let above, let below, above >= below {
            throw UsageError(.invalidCombination, "--above is not less than --below")
        }
        if Set(options).count != options.count {
            throw UsageError(.invalidValue, "--agg contains a value twice")
        }
    }

    func ask() async throws -> ExitStatus {
        let store = try answer.source.open()
        if let comparison { return try await compare(comparison, store) }
        if above != nil || below != nil { return try await countDays(store) }
        if isTrend { return try await showTrend(store) }
        if case .other(let text) = self.type, DailySubject.stage(text) != nil {
            throw UsageError(
                .invalidValue, "\(text) is a stage of sleep, of which days have one value",
                hint: "add --agg median --of day, --above, --below or --compare, or use 'healthvault sleep'")
        }
        let type = try await KnownSampleType.type(self.type, in: store)
        if type != .sleepAnalysis, let category = SampleType<CategorySample>(type.identifier) {
            return try await countEntries(category, store)
        }
        guard let quantity = SampleType<QuantitySample>(type.identifier) else {
            throw UsageError(
                .invalidValue, "\(type.shortName) is not a quantity, so it has no statistics",
                hint: Self.advice(on: type))
        }
        if averaged != nil, quantity.aggregationStyle != .cumulative {
            throw UsageError(
                .invalidCombination, "\(type.shortName) is not added up, so days have no sums",
                hint: "leave out --of day")
        }
        let query = StatisticsQuery(
            quantity, averaged == nil ? options : [.sum], by: .calendar(averaged == nil ? unit : .day),
            in: answer.time.range, where: answer.samples.predicate,
            merge: merge.rule, unit: units.unit(of: type), days: try answer.days.given,
            firstWeekday: weekStart.weekday)
        let (time, days) = (answer.time, query.days)
        let found = try await store.statistics([query]) { query, contents in
            if time.last != nil { query.range = time.range(before: [type], of: contents, days) }
        }
        let result = units.applied(to: found[0])
        guard !result.intervals.isEmpty else {
            throw answer.samples.noneCounted(in: [result], of: answer.source.path)
        }
        let shown = averaged == nil ? result.options : options.isEmpty ? [.average] : options
        let intervals = averaged == nil ? result.intervals : result.averages(by: unit)
        try answer.report.print(
            StatisticsTable.table(
                chosen(intervals) { interval in shown.first.flatMap { interval[$0] } }, of: result, by: unit,
                shown, averaged == nil ? "" : ", by day",
                warnings: result.warnings + (try await answer.warnings(onLater: [type], in: store)),
                path: answer.source.path))
        return .done
    }

    /// Prints how many samples of a category start in each interval, and how long they are.
    private func countEntries(
        _ type: SampleType<CategorySample>, _ store: any HealthStore
    ) async throws -> ExitStatus {
        for (isGiven, option) in [
            (options.contains { $0 != .duration }, "--agg"), (averaged != nil, "--of"),
            (merge.given ?? .priority != .priority, "--merge"), (units != .source, "--units"),
        ] where isGiven {
            throw UsageError(
                .invalidCombination, "\(option) does not suit \(type.erased.shortName), which has no numbers",
                hint: "its entries are counted, with their duration")
        }
        let result = try await store.statistics(
            of: type, by: unit, in: answer.time.answeredRange, where: answer.samples.predicate,
            priority: merge.priority, days: try answer.days.given, firstWeekday: weekStart.weekday)
        guard !result.intervals.isEmpty else {
            throw answer.samples.nothingSelected(of: [type.erased], in: answer.source.path)
        }
        let hasTime = result.hasTime
        let intervals = chosen(result.intervals) { Double(hasTime ? $0.duration : $0.count) }
        let later = try await answer.warnings(onLater: [type.erased], in: store)
        try answer.report.print(
            CategoryTable.table(
                intervals, of: result, by: unit, rule: merge.rule.rule, warnings: result.warnings + later,
                path: answer.source.path))
        return .done
    }

    /// Prints a comparison of two periods.
    private func compare(_ comparison: ComparedPeriod, _ store: any HealthStore) async throws -> ExitStatus {
        let (all, warnings) = try await answer.dailyValues(
            of: [type], merge, units, in: .ever, firstWeekday: weekStart.weekday, sayingLater: false,
            from: store)
        let values = all[0]
        guard
            let found = PeriodComparison(
                values, in: answer.time.range, of: try await store.contents(), with: comparison, by: givenUnit
            ), found.whole.part?.mean != nil || found.whole.other?.mean != nil
        else {
            // What was not counted may be the reason.
            if !answer.report.json { for warning in warnings { answer.report.warn(warning) } }
            throw answer.samples.nothingSelected(of: [values.type], in: answer.source.path)
        }
        try answer.report.print(
            ComparisonTable.table(
                found, by: givenUnit, warnings: warnings, path: answer.source.path,
                isJSON: answer.report.json))
        return .done
    }

    /// Prints the median day of each period, and its change.
    private func showTrend(_ store: any HealthStore) async throws -> ExitStatus {
        let (values, unit, warnings) = try await dailyValues(store)
        let trend = chosen(values.trend(by: unit)) { $0.median }
        try answer.report.print(
            values.trendTable(trend, by: unit, warnings: warnings, path: answer.source.path))
        return .done
    }

    /// Prints how many days of each period have a value above or below a limit.
    private func countDays(_ store: any HealthStore) async throws -> ExitStatus {
        let (values, unit, warnings) = try await dailyValues(store)
        // As they are shown.
        let scale = values.unit == .percent ? 100.0 : 1
        let counts = values.counts(by: unit, above: above.map { $0 / scale }, below: below.map { $0 / scale })
        try answer.report.print(
            DayCountTable.table(
                chosen(counts) { Double($0.days) }, of: values, by: unit, above: above, below: below,
                warnings: warnings,
                path: answer.source.path))
        return .done
    }

    /// Returns the values of days, and the length of the periods that are asked for.
    private func dailyValues(
        _ store: any HealthStore
    ) async throws -> (values: DailyValues, unit: CalendarUnit, warnings: [TerminalText]) {
        let (all, warnings) = try await answer.dailyValues(
            of: [type], merge, units, in: answer.time.answeredRange, firstWeekday: weekStart.weekday,
            from: store)
        return (all[0], givenUnit ?? .month, warnings)
    }

    /// Returns rows in the order that is asked for, and no more than that many.
    private func chosen<Row>(_ rows: [Row], by value: (Row) -> Double?) -> [Row] {
        let sorted = order == .time ? rows : rows.sorted(leastFirst: order == .least, by: value)
        return limit.map { Array(sorted.prefix($0)) } ?? sorted
    }

    /// Returns advice on what to ask about samples that are not quantities.
    private static func advice(on type: AnySampleType) -> String {
        switch type {
        case .sleepAnalysis:
            "use 'healthvault sleep', or add --agg median --of day, --above, --below or --compare"
        case .bloodPressure: "ask for bloodPressureSystolic or bloodPressureDiastolic"
        case .workout: "'healthvault query SOURCE workout' lists them with duration, distance and energy"
        default: "'healthvault query' lists its samples"
        }
    }
}
