import CommandLineKit
import HealthVault
import SystemIO
import Wording

/// The command `healthvault run-due`.
struct RunDueCommand: VaultCommand {
    var configuration = ConfigurationOption()
    var stateFolder = StateFolderOption()

    static let grammar = CommandGrammar<Self>(
        name: "run-due",
        summary: "Runs the scheduled exports that are due.",
        discussion: """
            A timer set up by 'healthvault schedule' runs this. A missed export is made once. If a drive is not \
            connected or no export has arrived, the export stays due; 'healthvault status' shows why. Prints nothing \
            unless something fails.
            """,
        examples: [
            HelpExample("healthvault run-due", "Run what is due, as the timer does"),
            HelpExample(
                "healthvault run-due && healthvault status", "Run what is due and show what is not done"),
        ],
        elements: [
            .including(\.configuration, ConfigurationOption.elements),
            .including(\.stateFolder, StateFolderOption.elements),
        ])

    func run() async throws -> ExitStatus {
        var exports = DueExports(try configuration.folder, state: try stateFolder.required())
        exports.settings = runOptions.settings()
        var worst = ExitStatus.done
        for export in try exports.all() where export.isDue {
            let status = show(try await exports.run(export, attendant: attendant), of: export.schedule)
            if status != .done { worst = status }
        }
        return worst
    }

    /// Prints a failure, and returns the status for an outcome.
    private func show(_ outcome: ScheduleOutcome, of schedule: ExportSchedule) -> ExitStatus {
        switch outcome {
        case .done(let outcome): return AttendedDriveExport.status(outcome)
        case .delayed(.failure(let error)):
            let message = ErrorMessage(error)
            // A drive that is not connected, or is in use, is not a failure.
            if [.tryLater, .inUse].contains(message.status) { return .done }
            Console.log("\(schedule.destination): scheduled export failed")
            message.show()
            return message.status
        case .delayed: return .done
        }
    }

    /// The options for running an export that nobody watches.
    var runOptions: ExportRunOptions {
        var options = ExportRunOptions()
        options.stateFolder = stateFolder
        options.quiet = true
        options.givenProgress = ProgressStyle.none
        return options
    }

    /// Returns what answers for the export of a source that a schedule asks for.
    func attendant(for schedule: ExportSchedule, source: BytePath) -> any DriveExportAttendant {
        var options = runOptions
        options.passphrase.given.file = schedule.passphraseFile
        options.passphrase.given.command = schedule.passphraseCommand
        return AttendedDriveExport(source, isEncrypted: schedule.isEncrypted, options) {
            ConversionSource(export: source)
        }
    }
}
