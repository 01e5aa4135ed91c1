import CommandLineKit
import HealthModel
import HealthQueries
import HealthVault

/// The command `healthvault sleep`.
struct SleepCommand: VaultCommand {
    var source = SourceOptions()
    var time = TimeOptions()
    var samples = SampleOptions()
    var threshold = 60
    var separate = false
    var days = DayOptions()
    var report = ReportOptions()

    static let grammar = CommandGrammar<Self>(
        name: "sleep",
        summary: "Shows the nights, with the time in each stage of sleep.",
        discussion: """
            Samples with less than an hour between them are one night; a night is named by the day on which it ends. \
            What several apps have recorded at the same time counts once; --separate shows each source by itself. \
            Time in bed is never counted as sleep.
            """,
        elements: [
            .including(\.source, SourceOptions.argument),
            .including(\.time, TimeOptions.elements),
            .including(\.samples, SampleOptions.elements),
            .option(
                \.threshold, "threshold", value: "MINUTES", "the gap that ends a night; default 60",
                as: .integer(in: 1...1440)),
            .flag(\.separate, "separate", "the nights of each source by itself"),
            .including(\.days, DayOptions.elements),
            .including(\.report, ReportOptions.elements),
            .including(\.source, SourceOptions.options),
        ])

    func validate() throws(UsageError) {
        try source.validate()
        try time.validate()
        try report.validate()
    }

    func run() async throws -> ExitStatus {
        let store = try source.open()
        let nights = try await store.sleepSessions(
            in: time.range, threshold: threshold * 60, separateBySource: separate, where: samples.predicate,
            days: try await days.given(for: store))
        guard !nights.isEmpty else { throw VaultError(.nothingSelected, path: source.path) }
        let output = SleepOutput(nights, LocalTime(days: try await days.days(of: store)), path: source.path)
        if report.json {
            try Console.print(json: output.json)
        } else if report.csv {
            try Console.print(csv: output.csv)
        } else {
            try Console.print(output.text)
        }
        return .done
    }
}
