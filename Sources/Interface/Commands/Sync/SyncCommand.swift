import CommandLineKit
import HealthVault
import Synchronization
import SystemIO
import Wording

/// The command `healthvault sync`.
struct SyncCommand: VaultCommand {
    var source = SourceOptions()
    var target: TargetLocation?
    var types = ChosenTypes()
    var excluded = ChosenTypes()
    var batch: Int?
    var dryRun = false
    var restart = false
    var json = false
    var quiet = false
    var subject = SubjectOptions()
    var access = ServerAccess()

    static let grammar = CommandGrammar<Self>(
        name: "sync",
        summary: "Keeps a database, a folder or a FHIR server in step with exports.",
        discussion: """
            Adds to the target what the source has, and deletes what an earlier source had and this one no longer has. \
            The target itself remembers what it was given and whose it is, so a further export costs only what has \
            changed, and another person's samples are kept apart or refused. A database also has days, nights, workouts and \
            electrocardiograms in tables of their own, in which steps that two devices counted are counted once. Routes, clinical \
            documents and attachments are not synchronised; 'healthvault export' writes them to a database, too. An export that is older than the last one, \
            or would delete more than half of what is there, is refused unless told otherwise. Run it again after a failure or an interruption: it continues, with nothing twice and nothing lost. Nothing but this \
            command and the step sync of 'healthvault watch' uses the network, and they connect only to the target. A \
            password for PostgreSQL comes from its password file (~/.pgpass, passfile=) or a service file.
            """,
        examples: [
            HelpExample("healthvault sync export.zip --target sqlite:health.db", "Fill or update a database"),
            HelpExample(
                "healthvault sync health.hvault \\\n"
                    + "--target 'postgresql://db.example/health?sslmode=verify-full'",
                "Update a PostgreSQL server"),
            HelpExample(
                "healthvault sync export.zip --target dir:samples \\\n"
                    + "--types group:vitals --dry-run",
                "Show what would be written to a folder"),
        ],
        elements: [
            .including(\.source, SourceOptions.argument),
            .option(
                \.target, "target", value: "URL", required: true,
                "sqlite:FILE, dir:FOLDER, postgresql://... or fhir+https://...",
                as: ValueParser(
                    expected: "sqlite:FILE, dir:FOLDER, postgresql://HOST/DATABASE or fhir+https://HOST/PATH",
                    completion: .choice(["sqlite:", "dir:", "postgresql://", "fhir+https://"])
                ) { TargetLocation($0) }),
            .including(\.types, ChosenTypes.elements),
            .option(
                \.excluded.names, "exclude", value: "A,B", "all but samples of these types",
                as: SampleSelectionOptions.types),
            .expert([
                .option(
                    \.batch, "batch", value: "N",
                    "changes in one transaction; by default what suits the target",
                    as: .integer(in: 1...100_000))
            ]),
            .including(\.subject, SubjectOptions.elements),
            .flag(\.dryRun, "dry-run", "show what would change, and change nothing"),
            .flag(
                \.restart, "restart",
                "discard the record of what the target was given, and compare everything with it: corrects what was changed by hand"
            ),
            .quiet(\.quiet),
            .json(\.json),
            .including(\.source, SourceOptions.options),
            .section("server", [.including(\.access, ServerAccess.elements)]),
        ])

    func validate() throws(UsageError) {
        try source.validate()
        try subject.validate()
        guard let target else { return }
        try access.validate(for: [target])
        if restart, dryRun {
            throw UsageError(.invalidCombination, "--restart and --dry-run exclude each other")
        }
    }

    func run() async throws -> ExitStatus {
        guard let target else { return .usage }
        if !dryRun { Interruption.keepProgress() }
        let display = ProgressDisplay(.auto, quiet: quiet)
        let store = try source.open(progress: display.handler)
        let chosen = try await types.types(in: [store])
        let excludedTypes = Set(try await excluded.types(in: [store]) ?? [])
        if let chosen, chosen.allSatisfy(excludedTypes.contains) {
            throw UsageError(.invalidCombination, "--exclude excludes all types that --types names")
        }
        let manager = try SyncManager(
            target, access, types: chosen, batchSize: batch, terms: subject.terms,
            isReadOnly: dryRun)
        manager.excludedTypes = excludedTypes
        manager.delegate = InterruptedSync(display)
        let report = try await manager.synchronize(with: store, isDry: dryRun, isResetting: restart)
        try SyncOutput(report: report, isDry: dryRun).print(json: json, quiet: quiet)
        return report.isComplete ? .done : .incomplete
    }
}

/// Stops a synchronisation between two batches when the command is interrupted, and shows its progress.
final class InterruptedSync: SyncDelegate {
    private let display: ProgressDisplay
    private let count = Atomic(0)

    init(_ display: ProgressDisplay) { self.display = display }

    func willSynchronize(_ batch: SyncBatch) async throws {
        if Interruption.isRequested() { throw VaultError.interruptedResumably }
        let changes = batch.deleted.count + batch.added.count
        let before = count.add(changes, ordering: .relaxed).oldValue
        display.handler(VaultProgress(subject: batch.type.identifier, done: before, unit: .changes))
    }
}
