import CivilTime
import CommandLineKit
import CommandOptions
import CommandOutput
import HealthModel
import HealthQueries
import HealthVault
import JSONText
import SystemIO

/// The command `healthvault stats`.
struct StatsCommand: VaultCommand {
    /// What averages are of, other than samples.
    enum Averaged: String, CaseIterable, Sendable { case day }

    /// The orders of intervals.
    enum Order: String, CaseIterable, Sendable {
        case time, value
    }

    var answer = AnswerOptions()
    var type = SampleTypeName.other("")
    var unit = CalendarUnit.day
    var options: [StatisticsOption] = []
    var averaged: Averaged?
    var order = Order.time
    var top: Int?
    var merge = MergeOptions()
    var units = UnitChoice.source
    var weekStart = WeekStartOption()

    static let grammar = CommandGrammar<Self>(
        name: "stats",
        summary: "Computes statistics by hour, day, week, month or year.",
        discussion: """
            A watch and a phone count the same steps. With --merge priority, only the source with the highest priority \
            counts at each moment: first those given with --priority, then watches, phones and others. A sample that \
            counts for part of its time counts in proportion. max-source uses the source with the highest total in \
            each interval; none adds all sources. An interval of which only a part is in the time or in the export is marked. \
            --of day averages the sums of days, of those that have samples: steps per day. Apple has not published its rule, so the Health app may show other \
            totals. Heart rates are averaged over time, sound levels by energy.
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
                "healthvault stats health.hvault stepCount --sort value --top 10",
                "Show the ten days with most steps"),
        ],
        elements: [
            .including(\.answer, AnswerOptions.argument),
            .argument(\.type, "TYPE", "a quantity, such as stepCount", as: KnownSampleType.parser),
            .option(
                \.unit, "by", value: "UNIT", default: "day", "hour, day, week, month or year", as: .choice),
            .option(
                \.options, "agg", value: "A,B", default: "what suits the type",
                "one or more of sum, avg, min, max, latest and duration",
                as: .list(of: .choice)),
            .option(
                \.averaged, "of", value: "UNIT", "average the sums of days: --agg avg --of day", as: .choice),
            .option(
                \.order, "sort", value: "ORDER", default: "time", "time, or value with the greatest first",
                as: .choice),
            .option(\.top, "top", value: "N", "only the first N", as: .integer(in: 1...1_000_000)),
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
            if unit == .hour || unit == .day {
                throw UsageError(.invalidCombination, "--of day needs --by week, month or year")
            }
            if let other = options.first(where: { ![.average, .minimum, .maximum].contains($0) }) {
                throw UsageError(
                    .invalidCombination, "--agg \(other.rawValue) cannot be combined with --of day",
                    hint: "available: avg, min, max")
            }
        }
        if Set(options).count != options.count {
            throw UsageError(.invalidValue, "--agg contains a value twice")
        }
    }

    func run() async throws -> ExitStatus {
        let store = try answer.source.open()
        let type = try await KnownSampleType.type(self.type, in: store)
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
        let result = units.applied(to: try await store.statistics(query))
        guard !result.intervals.isEmpty else {
            guard result.skipped > 0 else { throw VaultError(.nothingSelected, path: answer.source.path) }
            throw Absence(
                path: answer.source.path,
                what: result.skipped > result.undated
                    ? "\(type.title) in a convertible unit" : "\(type.title) with a date",
                hint: "'healthvault query' lists the samples")
        }
        let shown = averaged == nil ? result.options : options.isEmpty ? [.average] : options
        var chosen = averaged == nil ? nil : result.averages(by: unit)
        if order == .value, let first = shown.first {
            chosen = (chosen ?? Array(result.intervals)).sorted {
                ($0[first] ?? -.infinity, $1.start.seconds) > ($1[first] ?? -.infinity, $0.start.seconds)
            }
        }
        if let top {
            chosen = Array((chosen.map { AnySequence($0) } ?? AnySequence(result.intervals)).prefix(top))
        }
        try StatisticsOutput(
            result, by: unit, shown, chosen, of: averaged == nil ? "" : ", by day", path: answer.source.path
        ).print(answer.report)
        return .done
    }

    /// Returns advice on what to ask about samples that are not quantities.
    private static func advice(on type: AnySampleType) -> String {
        switch type {
        case .sleepAnalysis: "'healthvault sleep' shows nights with the time in each stage"
        case .bloodPressure: "ask for bloodPressureSystolic or bloodPressureDiastolic"
        case .workout: "'healthvault query SOURCE workout' lists them with duration, distance and energy"
        default: "'healthvault query' lists its samples"
        }
    }
}
