import CommandLineKit
import CommandOptions
import CommandOutput
import HealthVault
import SystemIO

/// What `watch` does with an export that has arrived.
enum WatchStep: String, CaseIterable, Sendable {
    /// The exports that schedules ask for.
    case export
    /// An update of a database of analytics.
    case analytics
    /// A synchronisation with targets.
    case sync
}

/// The steps of `watch`, with their options.
struct WatchSteps: Sendable {
    var names: [WatchStep] = []
    var database: BytePath?
    var targetTexts: [String] = []
    var credentials = ServerOptions()
    var configuration = ConfigurationOption()

    static let elements: [GrammarElement<WatchSteps>] = [
        .option(
            \.names, "then", value: "STEPS", required: true,
            "export, analytics, sync, or several with commas",
            as: .list(of: .choice)),
        .option(\.database, "database", value: "FILE", "the database of the step analytics", as: .file),
        .repeatedOption(
            \.targetTexts, "target", value: "URL", "a target of the step sync; repeatable",
            as: ValueParser(expected: "sqlite:FILE, dir:FOLDER, postgresql://... or fhir+https://...") {
                TargetLocation($0) == nil ? nil : $0
            }),
    ]

    static let servers: [GrammarElement<WatchSteps>] = [
        .section("server", [.including(\.credentials, ServerOptions.elements)]),
        .including(\.configuration, ConfigurationOption.elements),
    ]

    func validate() throws(UsageError) {
        guard names.contains(.analytics) == (database != nil) else {
            throw UsageError(.invalidCombination, "the step analytics and --database belong together")
        }
        if let database, HealthStatsLibrary.isEncrypted(database) {
            throw UsageError(
                .invalidCombination, "watch cannot update an encrypted database",
                hint: "give a --database without .hvault, or run 'healthvault analytics update' yourself")
        }
        guard names.contains(.sync) == !targetTexts.isEmpty else {
            throw UsageError(.invalidCombination, "the step sync and --target belong together")
        }
        try credentials.validate(for: targetTexts.compactMap { TargetLocation($0) })
    }

    /// Runs a step.
    func run(
        _ step: WatchStep, _ export: ArrivedExport, in inbox: BytePath, _ stateFolder: StateFolderOption
    ) async throws -> ExitStatus {
        switch step {
        case .export: return try await exportScheduled(export, in: inbox, stateFolder)
        case .analytics:
            let library = try HealthStatsLibrary(opening: database ?? "")
            let user = try library.getAllUsers().first ?? library.createUser(birthdate: nil)
            _ = try library.updateMissingData(for: user, from: try ExportStore(path: export.path))
            return .done
        case .sync:
            return try await synchronize(export)
        }
    }

    /// Returns what a step is run with: with anything else, it is not done.
    func means(of step: WatchStep, in inbox: BytePath) throws -> String {
        switch step {
        case .export:
            let schedules = try Schedules(try configuration.folder).all()
            return schedules.filter { Folder.absolute($0.source) == inbox }.map(\.destination)
                .joined(separator: "\n")
        case .analytics: return "\(Folder.absolute(database ?? ""))"
        case .sync: return targetTexts.sorted().joined(separator: "\n")
        }
    }

    /// Brings all targets in step; one that cannot be reached does not keep the others from it.
    private func synchronize(_ export: ArrivedExport) async throws -> ExitStatus {
        let store = try ExportStore(path: export.path)
        var worst = ExitStatus.done
        for text in targetTexts where !Interruption.isRequested() {
            guard let target = TargetLocation(text) else { continue }
            do { _ = try await SyncRequest(target, credentials).run(store) } catch {
                let message = ErrorMessage(error)
                Console.log("\(TerminalText(escaping: text)): sync failed")
                message.show()
                worst = message.status
            }
        }
        return worst
    }

    /// Makes the exports that schedules ask for in an inbox, whether or not they are due; one that fails does not keep the
    /// others from their destinations.
    private func exportScheduled(
        _ export: ArrivedExport, in inbox: BytePath, _ stateFolder: StateFolderOption
    ) async throws -> ExitStatus {
        var command = RunDueCommand()
        command.configuration = configuration
        command.stateFolder = stateFolder
        var exports = DueExports(try configuration.folder, state: try stateFolder.required())
        exports.settings = command.runOptions.settings()
        var worst = ExitStatus.done
        let all = try exports.all().filter { Folder.absolute($0.schedule.source) == inbox }
        guard !all.isEmpty else {
            Console.log("no schedule exports from \(inbox): 'healthvault schedule set --source' makes one")
            return .notFound
        }
        for scheduled in all {
            let schedule = scheduled.schedule
            do {
                let outcome = try await exports.export(
                    export.path, version: export.version, for: schedule,
                    attendant: command.attendant(for: schedule, source: export.path))
                let status = AttendedDriveExport.status(outcome)
                if status != .done { worst = status }
            } catch {
                let message = ErrorMessage(error)
                Console.log("\(schedule.destination): export failed")
                message.show()
                worst = message.status
            }
        }
        return worst
    }

    /// Returns the absolute path of the program, and the arguments with which it watches a folder.
    func arguments(for inbox: BytePath, _ stateFolder: StateFolderOption) throws(SystemError) -> [BytePath] {
        var arguments: [BytePath] = [
            try Folder.canonical("/proc/self/exe"), "watch", Folder.absolute(inbox), "--then",
            BytePath(names.map(\.rawValue).joined(separator: ",")),
        ]
        if let database { arguments += ["--database", Folder.absolute(database)] }
        for text in targetTexts {
            switch TargetLocation(text) {
            case .sqlite(let path): arguments += ["--target", "sqlite:" + Folder.absolute(path)]
            case .folder(let path): arguments += ["--target", "dir:" + Folder.absolute(path)]
            default: arguments += ["--target", BytePath(text)]
            }
        }
        if let file = credentials.tokenFile { arguments += ["--token-file", Folder.absolute(file)] }
        if let command = credentials.tokenCommand { arguments += ["--token-command", BytePath(command)] }
        if let file = credentials.authorities { arguments += ["--ca-file", Folder.absolute(file)] }
        if let subject = credentials.subject { arguments += ["--subject", BytePath(subject)] }
        if let path = configuration.path { arguments += ["--config-dir", Folder.absolute(path)] }
        if let path = stateFolder.path { arguments += ["--state-dir", Folder.absolute(path)] }
        return arguments
    }
}
