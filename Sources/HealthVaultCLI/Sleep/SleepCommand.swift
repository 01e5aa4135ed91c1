import CommandLineKit
import CommandOutput
import HealthModel
import HealthQueries
import HealthVault

/// The command `healthvault sleep`.
struct SleepCommand: VaultCommand {
    var answer = AnswerOptions()
    var threshold = 60
    var separate = false

    static let grammar = CommandGrammar<Self>(
        name: "sleep",
        summary: "Shows the nights, with the time in each stage of sleep.",
        discussion: """
            Samples with less than an hour between them are one night; a night is named by the day on which it ends, \
            and in the time that is asked for if it ends in it. \
            What several apps have recorded at the same time counts once; --separate shows each source by itself. \
            Time in bed is never counted as sleep.
            """,
        elements: [
            .including(\.answer, AnswerOptions.argument),
            .including(\.answer, AnswerOptions.selection),
            .option(
                \.threshold, "threshold", value: "MINUTES", "the gap that ends a night; default 60",
                as: .integer(in: 1...1440)),
            .flag(\.separate, "separate", "the nights of each source by itself"),
            .including(\.answer, AnswerOptions.form),
        ])

    func validate() throws(UsageError) {
        try answer.validate()
    }

    func run() async throws -> ExitStatus {
        let store = try answer.source.open()
        let nights = try await store.sleepSessions(
            in: answer.time.range, threshold: threshold * 60, separateBySource: separate,
            where: answer.samples.predicate, days: try answer.days.given)
        guard !nights.isEmpty else { throw VaultError(.nothingSelected, path: answer.source.path) }
        let time = LocalTime(days: try await answer.days.days(of: store))
        let output = SleepOutput(nights, time, path: answer.source.path)
        try answer.report.print(text: output.text, csv: output.csv, json: output.json)
        return .done
    }
}
