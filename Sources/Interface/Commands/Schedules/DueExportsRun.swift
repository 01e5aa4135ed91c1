import CommandLineKit
import HealthVault
import SystemIO
import Wording

/// Exports that schedules ask for, and that nobody watches.
extension DueExports {
    init(_ configuration: ConfigurationOption, _ stateFolder: StateFolderOption) throws {
        self.init(try configuration.folder, state: try stateFolder.required())
        settings = ExportRunOptions(unattendedIn: stateFolder).settings()
    }

    /// Makes all exports that are due, and prints what fails.
    func runAll(_ stateFolder: StateFolderOption) async throws -> ExitStatus {
        var worst = ExitStatus.done
        for export in try all() where export.isDue {
            let outcome = try await run(export) { AttendedDriveExport($1, for: $0, stateFolder) }
            let status = show(outcome, of: export.schedule)
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
}

extension AttendedDriveExport {
    /// Makes what answers for the export of a source that a schedule asks for.
    convenience init(_ source: BytePath, for schedule: ExportSchedule, _ stateFolder: StateFolderOption) {
        var options = ExportRunOptions(unattendedIn: stateFolder)
        options.passphrase.given.file = schedule.passphraseFile
        options.passphrase.given.command = schedule.passphraseCommand
        self.init(source, isEncrypted: schedule.isEncrypted, options) { ConversionSource(export: source) }
    }
}

extension ExportRunOptions {
    fileprivate init(unattendedIn stateFolder: StateFolderOption) {
        self.stateFolder = stateFolder
        quiet = true
        progress = .none
    }
}
