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
    var units = UnitChoice.source

    static let grammar = CommandGrammar<Self>(
        name: "trend",
        summary: "Shows the median day of each month or year, and its change.",
        discussion: """
            The value of a day is its sum or average, as in 'healthvault stats'. Each line has the median of the days \
            with data, the change from the period before, and the number of days behind it: a median of few days \
            says little. Of sleepAnalysis, it is the time asleep, and of asleepDeep, asleepREM, asleepCore, awake or inBed \
            that of a stage or in bed, in hours of the day on which a night ends.
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
            .argument(
                \.type, "TYPE", "a quantity, such as restingHeartRate, or sleepAnalysis",
                as: KnownSampleType.parser),
            .option(
                \.period, "by", value: "UNIT", default: "month", "month or year",
                as: .choice(among: [.month, .year])),
            .including(\.merge, MergeOptions.elements),
            .including(\.answer, AnswerOptions.selection),
            .option(
                \.units, "units", value: "SYSTEM", default: "source", "metric, us, uk or source", as: .choice),
            .including(\.answer, AnswerOptions.form),
        ])

    func validate() throws(UsageError) {
        try answer.validate()
        try merge.validate()
    }

    func run() async throws -> ExitStatus {
        let store = try answer.source.open()
        let (values, warnings) = try await answer.dailyValues(
            of: [type], merge, units, in: answer.time.answeredRange, from: store)
        try answer.report.print(
            values[0].trendTable(
                isYearly: period == .year, warnings: warnings, path: answer.source.path))
        return .done
    }
}
