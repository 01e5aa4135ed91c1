import CivilTime
import CommandLineKit
import CommandOutput
import HealthModel
import HealthQueries
import HealthVault
import JSONText
import SystemIO

/// The command `healthvault correlate`.
struct CorrelateCommand: VaultCommand {
    var answer = AnswerOptions()
    var first = SampleTypeName.other("")
    var second = SampleTypeName.other("")
    var lag = 0

    static let grammar = CommandGrammar<Self>(
        name: "correlate",
        summary: "Compares the days of two quantities.",
        discussion: """
            Prints Spearman's rank correlation of the daily values of two types, -1 to 1, and the number of days on \
            which both have one. It shows whether they vary together, not whether one causes the other. With --lag 1, \
            each day of the first is compared with the next day of the second.
            """,
        examples: [
            HelpExample(
                "healthvault correlate health.hvault appleExerciseTime restingHeartRate --lag 1",
                "Compare exercise with the resting heart rate of the next day")
        ],
        elements: [
            .including(\.answer, AnswerOptions.argument),
            .argument(\.first, "TYPE", "a quantity", as: KnownSampleType.parser),
            .argument(\.second, "TYPE2", "another quantity", as: KnownSampleType.parser),
            .option(
                \.lag, "lag", value: "DAYS", default: "0", "the days by which the second is later",
                as: .integer(in: 0...365)),
            .including(\.answer, AnswerOptions.selection), .including(\.answer, AnswerOptions.form),
        ])

    func validate() throws(UsageError) {
        try answer.validate()
        if answer.report.csv {
            throw UsageError(.invalidCombination, "'correlate' prints no CSV", hint: "use --json")
        }
        if answer.source.path == "-" {
            throw UsageError(
                .invalidCombination, "'correlate' reads its source twice, so it cannot be standard input",
                hint: "save it to a file first")
        }
    }

    func run() async throws -> ExitStatus {
        let store = try answer.source.open()
        let one = try await answer.dailyValues(of: first, in: store)
        let other = try await answer.dailyValues(of: second, in: store)
        let result = DailyCorrelation(one, other, lag: lag)
        try answer.report.print(text: text(one, other, result), csv: [], json: json(one, other, result))
        return .done
    }

    private func text(_ one: DailyValues, _ other: DailyValues, _ result: DailyCorrelation) -> TerminalText {
        let shown = result.coefficient.map { NumberText.rounded($0, digits: 2) }
        let names: TerminalText =
            "\(one.statistics.query.type.title) and \(other.statistics.query.type.title)"
        let later: TerminalText = lag == 0 ? "" : " \(Quantities.count(lag, "day")) later"
        return .lines([
            "rank correlation of \(names)\(later): \(shown ?? "cannot be computed")",
            "\(Quantities.count(result.n, "day")) with both, \(Quantities.count(result.unpaired, "value")) without the other left out",
            "a correlation does not show that one causes the other",
        ])
    }

    private func json(_ one: DailyValues, _ other: DailyValues, _ result: DailyCorrelation) -> String {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("path", answer.source.path)
            writer.member("types", [one, other].map(\.statistics.query.type.identifier))
            writer.member("values", [one, other].map(\.option.rawValue))
            writer.member("zone", one.statistics.days.zone)
            writer.member("lag", lag)
            writer.member("n", result.n)
            writer.member("unpaired", result.unpaired)
            writer.key("rankCorrelation")
            if let coefficient = result.coefficient {
                NumberText.write(coefficient, to: &writer)
            } else {
                writer.null()
            }
        }
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
