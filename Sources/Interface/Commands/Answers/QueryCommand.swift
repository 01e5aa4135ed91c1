import CommandLineKit
import HealthModel
import HealthVault
import Tables
import Wording

/// The command `healthvault query`.
struct QueryCommand: QuestionCommand {
    var answer = AnswerOptions()
    var type = SampleTypeName.other("")
    var gone = false
    var units = UnitChoice.source
    var limit: Int?
    var order: Order?

    static let grammar = CommandGrammar<Self>(
        name: "query",
        summary: "Lists the samples of a type.",
        discussion: """
            TYPE is a short name such as heartRate, a title such as 'Heart Rate', or HealthKit's identifier; \
            'healthvault types' lists them. On a terminal, only the newest 50 samples are listed. --json prints one line for each sample. Values are printed as the source \
            has them unless --units is given. Only what the answer needs is decrypted.
            """,
        examples: [
            HelpExample(
                "healthvault query health.hvault steps --since 2024-05-01 --until 2024-05-07",
                "List a week of step counts"),
            HelpExample(
                "healthvault query export.zip 'Weight' --limit 10 --units us", "List the last ten weights"),
        ],
        elements: [
            .including(\.answer, AnswerOptions.arguments),
            .argument(\.type, "TYPE", "a sample type", as: KnownSampleType.parser),
            .including(\.answer, AnswerOptions.selection),
            .option(
                \.units, "units", value: "SYSTEM", default: "source", "metric, us, uk or source", as: .choice),
            .option(
                \.limit, "limit", value: "N", "at most N samples: the latest, or with --since the first",
                as: .integer(in: 1...Int.max)),
            .option(
                \.order, "sort", value: "ORDER",
                "newest first, or by start, end, source, or the greatest value or duration first; --limit then lists the first",
                as: .choice),
            .flag(\.gone, "gone", "only samples in an archive that later exports no longer contained"),
            .including(\.answer, AnswerOptions.form),
        ])

    /// The orders in which samples can be listed.
    enum Order: String, CaseIterable, Sendable {
        case newest
        case start
        case end
        case duration
        case value
        case source
    }

    func validate() throws(UsageError) { try answer.validate() }

    func ask() async throws -> ExitStatus {
        let store = try answer.source.open(gone: gone)
        let type = try await KnownSampleType.type(self.type, in: store)
        // On a terminal, thousands of lines would only run past.
        let isCut =
            limit == nil && !answer.report.json && !answer.report.csv && Console.outputIsTerminal
        let limit = isCut ? Self.mostOnTerminal + 1 : limit
        let newestFirst = order == .newest
        let sorting = order.flatMap { SampleSorting(rawValue: $0.rawValue) }
        // The latest samples, too, are printed oldest first, unless asked otherwise.
        let takesLatest =
            newestFirst || sorting == nil && (isCut || limit != nil && answer.time.since == nil)
        let query = SampleQuery(
            SampleType(type), in: answer.time.answeredRange, where: answer.samples.predicate,
            sortedBy: takesLatest ? .newestFirst : .oldestFirst, limit: sorting == nil ? limit : nil,
            days: try answer.days.given)
        var count = 0
        if sorting != nil || takesLatest && !newestFirst {
            var found = SortedSamples(by: sorting ?? .start, type, limit: sorting == nil ? nil : limit)
            for try await span in store.samples(query) { try found.append(span) }
            count = found.count
            if count > 0 {
                let days = try await answer.days.days(of: store)
                var output = try SampleOutput(type, units, answer.report, days)
                let isTooMany = isCut && count > Self.mostOnTerminal
                // The oldest of the latest is one too many.
                if isTooMany, sorting == nil { _ = try found.next() }
                try output.print(limit: isCut ? Self.mostOnTerminal : .max) { try found.next() }
                try output.finish()
            }
        } else {
            var output: SampleOutput?
            for try await span in store.samples(query) {
                if output == nil {
                    let days = try await answer.days.days(of: store)
                    output = try SampleOutput(type, units, answer.report, days)
                }
                count += span.count
                try output?.print(span, limit: isCut ? Self.mostOnTerminal - (count - span.count) : .max)
            }
            try output?.finish()
        }
        guard count > 0 else {
            throw answer.samples.nothingSelected(of: [type], in: answer.source.path)
        }
        for warning in try await answer.warnings(onLater: [type], in: store) {
            answer.report.warn(warning)
        }
        if isCut, count > Self.mostOnTerminal {
            let which = sorting == nil ? "newest" : "first"
            answer.report.log(
                "only the \(which) \(Self.mostOnTerminal): use --limit for more, or see all with '| less' or --csv"
            )
        }
        return .done
    }

    /// The number of samples that are shown on a terminal if no limit is given.
    private static let mostOnTerminal = 50
}
