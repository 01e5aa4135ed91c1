import CivilTime
import CommandLineKit
import CommandOptions
import CommandOutput
import HealthVault
import SystemIO

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
        var worst = ExitStatus.done
        for state in try ScheduleState.all(configuration, stateFolder) where state.isDue {
            let status = try await run(state)
            if status != .done { worst = status }
        }
        return worst
    }

    /// Runs an export that is due, and records its outcome.
    private func run(_ state: ScheduleState) async throws -> ExitStatus {
        let progresses = ScheduleProgresses(inState: try stateFolder.required().path)
        var progress = state.progress
        progress.waiting = progress.waiting ?? SystemClock.now()
        let began = SystemClock.now()
        func wait(_ reason: TerminalText) throws {
            progress.reason = reason.text
            try progresses.save(progress)
        }
        switch Inbox(state.schedule.source).newest() {
        case .none:
            try wait("no export in \(state.schedule.source)")
            return .done
        case .unreadable(let path):
            try wait("\(path) is not a complete export")
            return .done
        case .export(let source, let version):
            do {
                let status = try await export(source, state.schedule, isKnown: version == progress.exported)
                progress.done = began
                progress.exported = version
                progress.reason = nil
                progress.waiting = nil
                try progresses.save(progress)
                return status
            } catch {
                let message = ErrorMessage(error)
                if (error as? VaultError)?.code == .nothingSelected {
                    try wait("the newest export in \(state.schedule.source) has no samples in this range")
                    return .done
                }
                try wait("\(message.status.reason)")
                // A drive that is not connected, or is in use, is not a failure.
                if [.tryLater, .inUse].contains(message.status) { return .done }
                Console.log("\(state.schedule.destination): scheduled export failed")
                message.show()
                return message.status
            }
        }
    }

    /// Exports a source to the destination of a schedule.
    ///
    /// - Parameter isKnown: Whether the source is the same as in the last export.
    private func export(
        _ source: BytePath, _ schedule: ExportSchedule, isKnown: Bool
    ) async throws -> ExitStatus {
        var command = ExportCommand()
        command.source = source
        command.encrypt = schedule.isEncrypted
        command.format.given = schedule.formats.compactMap { ExportFormat(rawValue: $0) }
        command.destination.name = schedule.destination
        command.destination.incremental = schedule.isIncremental
        command.destination.keep = schedule.keep
        command.destination.configuration = configuration
        command.run.stateFolder = stateFolder
        command.run.quiet = true
        command.run.givenProgress = ProgressStyle.none
        command.run.passphrase.given.file = schedule.passphraseFile
        command.run.passphrase.given.command = schedule.passphraseCommand
        if let seconds = schedule.range.seconds {
            let since = Timestamp(seconds: SystemClock.now() - seconds, offsetMinutes: 0).iso
            command.selection.time.since = TimeLimit(parsing: since)
        }
        try command.validate()
        let export = try AttendedDriveExport(command).export(to: schedule.destination, isScheduled: true)
        // Exporting the same source again would only take up space, provided that the last export still exists.
        if isKnown, schedule.range == .all, try export.isThere() {
            try export.recordNothingNew()
            return .done
        }
        return try await AttendedDriveExport.run(export)
    }
}
