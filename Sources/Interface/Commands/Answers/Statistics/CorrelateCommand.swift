import CommandLineKit
import HealthModel
import HealthQueries
import HealthVault
import Tables
import Wording

/// The command `healthvault correlate`.
struct CorrelateCommand: QuestionCommand {
    var answer = AnswerOptions()
    var first = SampleTypeName.other("")
    var second = SampleTypeName.other("")
    var lag = 0
    var merge = MergeOptions()
    var units = UnitChoice.source

    static let grammar = CommandGrammar<Self>(
        name: "correlate",
        summary: "Compares the days of two quantities.",
        discussion: """
            Prints Spearman's rank correlation of the daily values of two types, -1 to 1, and the number of days on \
            which both have one; --csv prints the pairs. It shows whether they vary together, not whether one causes the other. With --lag 1, \
            each day of the first is compared with the next day of the second. TYPE can be sleepAnalysis or a stage, as in \
            'healthvault stats'.
            """,
        examples: [
            HelpExample(
                "healthvault correlate health.hvault appleExerciseTime restingHeartRate --lag 1",
                "Compare exercise with the resting heart rate of the next day"),
            HelpExample(
                "healthvault correlate export.zip stepCount activeEnergyBurned --last 1y",
                "Compare steps with active energy"),
        ],
        elements: [
            .including(\.answer, AnswerOptions.arguments),
            .argument(\.first, "TYPE", "a quantity, or sleepAnalysis", as: KnownSampleType.parser),
            .argument(\.second, "TYPE2", "another quantity", as: KnownSampleType.parser),
            .option(
                \.lag, "lag", value: "DAYS", default: "0", "the days by which the second is later",
                as: .integer(in: 0...365)),
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

    func ask() async throws -> ExitStatus {
        let store = try answer.source.open()
        let (values, warnings) = try await answer.dailyValues(
            of: [first, second], merge, units, in: answer.time.answeredRange, from: store)
        try answer.report.print(
            DailyCorrelation(values[0], values[1], lag: lag).table(
                values[0], values[1], lag: lag, warnings: warnings, path: answer.source.path))
        return .done
    }
}
