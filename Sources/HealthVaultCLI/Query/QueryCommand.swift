import CommandLineKit
import CommandOutput
import HealthModel
import HealthVault
import SampleBatches

/// The command `healthvault query`.
struct QueryCommand: VaultCommand {
    var answer = AnswerOptions()
    var type = SampleTypeName.other("")
    var overlapping = false
    var newestFirst = false
    var gone = false
    var units = UnitChoice.source
    var limit: Int?

    static let grammar = CommandGrammar<Self>(
        name: "query",
        summary: "Lists the samples of a type.",
        discussion: """
            TYPE is a short name such as heartRate, workout or bloodPressure, or an identifier; 'healthvault types' \
            lists them. Days are those in the time zone of the export. --json prints a line for each sample; its \
            times have their offsets, and its values are as they are written in the source unless --units asks for \
            others. Of an archive, only what is asked for is decrypted.
            """,
        elements: [
            .including(\.answer, AnswerOptions.argument),
            .argument(\.type, "TYPE", "a sample type", as: KnownSampleType.parser),
            .including(\.answer, AnswerOptions.selection),
            .flag(
                \.overlapping, "overlapping", "also samples that start earlier and reach into the time"),
            .option(
                \.units, "units", value: "SYSTEM", "metric, us, uk or source; default source", as: .choice),
            .option(
                \.limit, "limit", value: "N", "at most so many; the latest ones unless --since is given",
                as: .integer(in: 1...Int.max)),
            .flag(\.newestFirst, "newest-first", "the latest samples first"),
            .flag(\.gone, "gone", "of an archive, only samples that later exports no longer had"),
            .including(\.answer, AnswerOptions.form),
        ])

    func validate() throws(UsageError) {
        try answer.validate()
    }

    func run() async throws -> ExitStatus {
        let store = try answer.source.open(gone: gone)
        let type = try await KnownSampleType.type(self.type, in: store)
        // Of the latest ones, too, the earliest is printed first unless the option says otherwise.
        let takesLatest = newestFirst || limit != nil && answer.time.since == nil
        let query = SampleQuery(
            SampleType(type), in: answer.time.range, where: answer.samples.predicate,
            matching: overlapping ? .overlapping : .startInside,
            sortedBy: takesLatest ? .newestFirst : .oldestFirst, limit: limit,
            days: try answer.days.given)
        var count = 0
        if takesLatest, !newestFirst {
            let found = try await Array(store.samples(query).all().reversed())
            count = found.count
            if !found.isEmpty {
                var output = SampleOutput(type, units, answer.report, try await answer.days.days(of: store))
                try output.print(found)
            }
        } else {
            var output: SampleOutput?
            for try await span in store.samples(query) {
                if output == nil {
                    output = SampleOutput(type, units, answer.report, try await answer.days.days(of: store))
                }
                count += span.count
                try output?.print(span)
            }
        }
        guard count > 0 else { throw VaultError(.nothingSelected, path: answer.source.path) }
        return .done
    }
}
