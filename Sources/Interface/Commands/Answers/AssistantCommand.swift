import AssistantServer
import CommandLineKit
import HealthModel
import HealthVault
import SystemIO
import Wording

/// The command `healthvault mcp`.
struct AssistantCommand: VaultCommand {
    var source = SourceOptions()
    var types = ChosenTypes()
    var since: TimeLimit?
    var aggregatesOnly = false
    var withoutPlaces = false
    var ledger: BytePath?
    var days = DayOptions()

    static let grammar = CommandGrammar<Self>(
        name: "mcp",
        summary: "Answers an assistant's questions over standard input and output.",
        discussion: """
            For programs that speak the Model Context Protocol. They start this command and call its tools: statistics, \
            sleep, workouts and others. It only reads SOURCE and opens no connection, but what a tool returns goes to \
            whoever runs the model. What is exposed is fixed when it starts. A ledger has a line for each answer: what \
            was asked and how much left, without values.
            """,
        examples: [
            HelpExample(
                "healthvault mcp health.hvault --passphrase-command 'pass show health' \\\n"
                    + "--aggregates-only",
                "Answer with statistics, but no single samples"),
            HelpExample(
                "healthvault mcp health.hvault --passphrase-file FILE \\\n"
                    + "--types group:activity,sleepAnalysis --ledger asked.log",
                "Expose activity and sleep only, and record what is asked"),
        ],
        elements: [
            .including(\.source, SourceOptions.argument),
            .option(
                \.types.names, "types", value: "A,B", "expose only samples of these types",
                as: SampleSelectionOptions.types),
            .option(
                \.since, "since", value: "TIME", "expose only samples from this time", as: TimeOptions.limit),
            .flag(\.aggregatesOnly, "aggregates-only", "expose statistics, but no single samples"),
            .flag(\.withoutPlaces, "no-location", "never expose routes of workouts"),
            .option(\.ledger, "ledger", value: "FILE", "record what is asked and how much leaves", as: .file),
            .including(\.days, DayOptions.elements),
            .including(\.source, SourceOptions.options),
        ])

    func validate() throws(UsageError) {
        try source.validate()
        if source.path == "-" || source.key.passphrase.usesStandardInput {
            throw UsageError(
                .invalidCombination, "standard input is for the assistant's requests",
                hint: "use a path for SOURCE, and --passphrase-file, --passphrase-fd or --passphrase-command")
        }
    }

    func run() async throws -> ExitStatus {
        // Checked before asking for the passphrase.
        let book = try openedLedger()
        let store = try source.open()
        var scope = AssistantScope()
        scope.types = try await types.types(in: [store])
        scope.since = since
        scope.aggregatesOnly = aggregatesOnly
        scope.withoutPlaces = withoutPlaces
        scope.days = try days.given
        let archive = try await ExposedArchive(store, at: source.path, scope)
        try await AssistantServer(archive, ledger: book) { ErrorMessage($0).show(as: "healthvault mcp") }
            .run()
        return .done
    }

    private func openedLedger() throws -> AssistantLedger? {
        do { return try ledger.map { try AssistantLedger($0) } } catch let error as AssistantLedger.Unfit {
            let (problem, hint) =
                switch error {
                case .shared:
                    ("can be read by others", "make it private with 'chmod 600', or choose another file")
                case .noLedger: ("is not a ledger, so nothing is appended to it", "choose a new name")
                }
            throw UsageError(.invalidValue, "\(ledger ?? "") \(problem)", hint: hint)
        }
    }
}
