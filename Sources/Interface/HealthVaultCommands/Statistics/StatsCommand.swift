import CivilTime
import CommandLineKit
import CommandOutput
import HealthModel
import HealthQueries
import HealthVault
import JSONText
import SystemIO

/// The command `healthvault stats`.
struct StatsCommand: VaultCommand {
    /// The rules for merging several sources.
    enum Merge: String, CaseIterable, Sendable {
        case priority
        case maxSource = "max-source"
        case none
    }

    var answer = AnswerOptions()
    var type = SampleTypeName.other("")
    var unit = CalendarUnit.day
    var options: [StatisticsOption] = []
    var merge = Merge.priority
    var priority: [String] = []
    var units = UnitChoice.source
    var weekStart = WeekStart.monday

    /// The first day of the week, by its name.
    enum WeekStart: String, CaseIterable, Sendable {
        case monday, tuesday, wednesday, thursday, friday, saturday, sunday

        var weekday: Weekday? { Self.allCases.firstIndex(of: self).map { Weekday.allCases[$0] } }
    }

    static let grammar = CommandGrammar<Self>(
        name: "stats",
        summary: "Computes statistics by hour, day, week, month or year.",
        discussion: """
            A watch and a phone count the same steps. With --merge priority, only the source with the highest priority \
            counts at each moment: first those given with --priority, then watches, phones and others. A sample that \
            counts for part of its time counts in proportion. max-source uses the source with the highest total in \
            each interval; none adds all sources. Apple has not published its rule, so the Health app may show other \
            totals. Heart rates are averaged over time, sound levels by energy.
            """,
        examples: [
            HelpExample(
                "healthvault stats health.hvault stepCount --by month", "Show the steps of each month"),
            HelpExample(
                "healthvault stats export.zip heartRate --by week --agg avg,max --csv",
                "Print weekly averages and maxima as CSV"),
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
                \.merge, "merge", value: "RULE", default: "priority",
                "how to merge sources: priority, max-source or none", as: .choice),
            .repeatedOption(
                \.priority, "priority", value: "NAME", "a source that comes before others; repeatable",
                as: .text),
            .including(\.answer, AnswerOptions.selection),
            .option(
                \.units, "units", value: "SYSTEM", default: "source", "metric, us, uk or source", as: .choice),
            .option(
                \.weekStart, "week-start", value: "DAY", default: "monday", "the first day of the week",
                as: .choice),
            .including(\.answer, AnswerOptions.form),
        ])

    func validate() throws(UsageError) {
        try answer.validate()
        if !priority.isEmpty, merge != .priority {
            throw UsageError(.invalidCombination, "--priority works only with --merge priority")
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
                hint: "'healthvault query' lists its samples")
        }
        let query = StatisticsQuery(
            quantity, options, by: .calendar(unit), in: answer.time.range, where: answer.samples.predicate,
            merge: rule, unit: units.unit(of: type), days: try answer.days.given,
            firstWeekday: weekStart.weekday)
        var result = try await store.statistics(query)
        if units == .source, let unit = result.sourceUnit, let converted = result.converted(to: unit) {
            result = converted
        }
        guard !result.intervals.isEmpty else {
            guard result.skipped > 0 else { throw VaultError(.nothingSelected, path: answer.source.path) }
            throw Absence(
                path: answer.source.path,
                what: "\(type.title) in a convertible unit",
                hint: "'healthvault query' lists the samples")
        }
        let output = StatisticsOutput(result, path: answer.source.path)
        if answer.report.csv { for warning in output.warnings { Console.log("warning: \(warning)") } }
        try answer.report.print(text: output.text, csv: output.csv, json: output.json)
        return .done
    }

    private var rule: SourceMerge {
        switch merge {
        case .priority: .priority(priority)
        case .maxSource: .maximumSource
        case .none: .none
        }
    }
}
