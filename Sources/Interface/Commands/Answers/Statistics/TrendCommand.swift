import ByteText
import CommandLineKit
import HealthModel
import HealthQueries
import HealthVault
import SystemIO
import Tables
import Wording

/// The command `healthvault trend`.
struct TrendCommand: VaultCommand {
    var answer = AnswerOptions()
    var type = SampleTypeName.other("")
    var period = CalendarUnit.month
    var merge = MergeOptions()

    static let grammar = CommandGrammar<Self>(
        name: "trend",
        summary: "Shows the median day of each month or year, and its change.",
        discussion: """
            The value of a day is its sum or average, as in 'healthvault stats'. Each line has the median of the days \
            with data, the change from the period before, and the number of days behind it: a median of few days \
            says little.
            """,
        examples: [
            HelpExample(
                "healthvault trend health.hvault restingHeartRate --by year",
                "Show how the resting heart rate changed over the years"),
            HelpExample(
                "healthvault trend export.zip stepCount --last 1y", "Show the steps of each month of a year"),
        ],
        elements: [
            .including(\.answer, AnswerOptions.argument),
            .argument(\.type, "TYPE", "a quantity, such as restingHeartRate", as: KnownSampleType.parser),
            .option(
                \.period, "by", value: "UNIT", default: "month", "month or year",
                as: .choice(among: [.month, .year])),
            .including(\.merge, MergeOptions.elements),
            .including(\.answer, AnswerOptions.selection), .including(\.answer, AnswerOptions.form),
        ])

    func validate() throws(UsageError) {
        try answer.validate()
        try merge.validate()
    }

    func run() async throws -> ExitStatus {
        let store = try answer.source.open()
        let (values, warnings) = try await answer.dailyValues(of: [type], merge, in: store)
        try answer.report.print(
            values[0].trendTable(
                isYearly: period == .year, warnings: warnings, path: answer.source.path))
        return .done
    }
}

extension AnswerOptions {
    /// Returns the daily values of quantities with the warnings about them, from one pass over the source.
    ///
    /// - Throws: `UsageError` if a type is no quantity; another error if no sample of one of them counts.
    func dailyValues(
        of names: [SampleTypeName], _ merge: MergeOptions, in store: any HealthStore
    ) async throws -> (values: [DailyValues], warnings: [TerminalText]) {
        var quantities: [SampleType<QuantitySample>] = []
        for name in names {
            let type = try await KnownSampleType.type(name, in: store)
            guard let quantity = SampleType<QuantitySample>(type.identifier) else {
                throw UsageError(
                    .invalidValue, "\(type.shortName) is not a quantity, so it has no daily values",
                    hint: "'healthvault query' lists its samples")
            }
            quantities.append(quantity)
        }
        let values = try await store.dailyValues(
            of: quantities, in: time.answeredRange, where: samples.predicate, merge: merge.rule,
            days: try days.given)
        guard values.allSatisfy({ !$0.days.isEmpty }) else {
            throw samples.noneCounted(in: values.map(\.statistics), of: source.path)
        }
        let later = try await warnings(onLater: quantities.map(\.erased), in: store)
        return (values, values.warnings + later)
    }
}
