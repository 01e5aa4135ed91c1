import CommandLineKit
import CommandOutput
import HealthModel
import HealthQueries
import HealthVault
import JSONText
import SampleBatches
import SystemIO

/// The command `healthvault stats`.
struct StatsCommand: VaultCommand {
    /// The rules for several sources.
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

    /// The days of the week, as people write them.
    enum WeekStart: String, CaseIterable, Sendable {
        case monday, tuesday, wednesday, thursday, friday, saturday, sunday

        var weekday: Weekday? { Self.allCases.firstIndex(of: self).map { Weekday.allCases[$0] } }
    }

    static let grammar = CommandGrammar<Self>(
        name: "stats",
        summary: "Sums up the samples of a quantity by hour, day, week, month or year.",
        discussion: """
            A watch and a phone count the same steps. With --merge priority, at each moment the source with the highest \
            priority counts: those of --priority in their order, then watches, phones and others; a sample of which a \
            part counts does so in proportion to the time. With max-source, the source with the most counts in each \
            interval; with none, all are added up. Apple has not published its own rule, so that the Health app may \
            show other totals. Of a sample that reaches into the time, this part counts. Heart rates are averaged by the time for which they hold, sound levels by their energy.
            """,
        elements: [
            .including(\.answer, AnswerOptions.argument),
            .argument(\.type, "TYPE", "a quantity, such as stepCount", as: KnownSampleType.parser),
            .option(
                \.unit, "by", value: "UNIT", "hour, day, week, month or year; default day", as: .choice),
            .option(
                \.options, "agg", value: "A,B", "sum, avg, min, max, latest or duration",
                as: .list(of: .choice)),
            .option(
                \.merge, "merge", value: "RULE", "priority, max-source or none; default priority", as: .choice
            ),
            .repeatedOption(
                \.priority, "priority", value: "NAME", "a source that comes before others; may be repeated",
                as: .text),
            .including(\.answer, AnswerOptions.selection),
            .option(
                \.units, "units", value: "SYSTEM", "metric, us, uk or source; default source", as: .choice),
            .option(
                \.weekStart, "week-start", value: "DAY", "the first day of a week; default monday",
                as: .choice),
            .including(\.answer, AnswerOptions.form),
        ])

    func validate() throws(UsageError) {
        try answer.validate()
        if !priority.isEmpty, merge != .priority {
            throw UsageError(.invalidCombination, "--priority goes with --merge priority only")
        }
        if Set(options).count != options.count {
            throw UsageError(.invalidValue, "--agg names a value twice", hint: "give each of them once")
        }
    }

    func run() async throws -> ExitStatus {
        let store = try answer.source.open()
        let type = try await KnownSampleType.type(self.type, in: store)
        guard let quantity = SampleType<QuantitySample>(type.identifier) else {
            throw UsageError(
                .invalidValue, "\(type.shortName) is no quantity, which alone can be summed up",
                hint: "list its samples with 'healthvault query'")
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
                what: "\(type.title) with a number in a unit that can be converted",
                hint: "list these samples with 'healthvault query'")
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
