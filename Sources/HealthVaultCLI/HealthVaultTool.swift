import CommandLineKit
import CommandOutput
import SystemIO

/// The command `healthvault`.
@main
struct HealthVaultTool {
    static let commands = CommandSet<any VaultCommand>(
        name: "healthvault",
        summary:
            "Turns the export of Apple's Health app into an encrypted archive that can be opened in thirty years.",
        version: ToolVersion.text,
        groups: [
            CommandGroup(
                "archives",
                [
                    .command(ExportCommand.self), .command(DecryptCommand.self), .command(VerifyCommand.self),
                    .command(InspectCommand.self), .command(PassphraseCommand.self),
                    .command(RecoverCommand.self), .command(SessionCommand.self),
                ]),
            CommandGroup(
                "drives",
                [
                    .command(DestinationCommand.self), .command(HistoryCommand.self),
                    .command(CompactCommand.self), .command(ScheduleCommand.self),
                    .command(StatusCommand.self), .command(RunDueCommand.self),
                ]),
            CommandGroup(
                "answers",
                [
                    .command(QueryCommand.self), .command(StatsCommand.self),
                    .command(SleepCommand.self), .command(ElectrocardiogramCommand.self),
                ]),
            CommandGroup("about", [.command(TypesCommand.self), .command(CompletionsCommand.self)]),
        ])

    static func main() async {
        CurrentProcess.shareHeap()
        CurrentProcess.forbidCoreDumps()
        CurrentProcess.turnSignalsIntoErrors()
        let status = await run()
        CurrentProcess.exit(status.rawValue)
    }

    private static func run() async -> ExitStatus {
        do {
            // With replacement characters two names might become the same.
            guard let arguments = CurrentProcess.arguments else {
                throw UsageError(
                    .invalidValue, "an argument is no UTF-8 text",
                    hint: "rename the file; 'convmv' does so for many")
            }
            switch try commands.parse(arguments) {
            case .run(let command):
                return try await command.run()
            case .help(let page):
                try Console.print(page: page)
                return .done
            case .version(let text):
                try Console.print("\(text)")
                return .done
            }
        } catch let error as SystemError where error.isBrokenPipe && error.path == Console.outputName {
            // The reader of the output has closed it.
            return .failed
        } catch {
            let message = ErrorMessage(error)
            message.show()
            // The exit status is that of the signal that asked for it.
            if message.status == .interrupted, let signal = CurrentProcess.interruption {
                return ExitStatus(rawValue: 128 + signal) ?? .interrupted
            }
            return message.status
        }
    }
}
