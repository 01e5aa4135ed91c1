import CommandLineKit
import SystemIO
import Wording

/// The command `healthvault`: all of it but the main.
package enum HealthVaultTool {
    static let commands = CommandSet<any VaultCommand>(
        name: "healthvault",
        summary:
            "Turns the export of Apple's Health app into an encrypted archive that can still be opened in thirty years.",
        introduction: [
            HelpExample(
                "healthvault encrypt export.zip",
                "Encrypt an export into health.hvault; asks for a passphrase"),
            HelpExample("healthvault inspect health.hvault", "Show what it contains"),
            HelpExample("healthvault verify health.hvault", "Check every byte of it"),
            HelpExample("healthvault decrypt health.hvault", "Decrypt it into the folder health-export"),
        ],
        version: ToolVersion.text, day: ToolVersion.day,
        groups: [
            CommandGroup(
                "start",
                [
                    .command(EncryptCommand.self), .command(InspectCommand.self),
                    .command(VerifyCommand.self),
                    .command(DecryptCommand.self), .command(ReportCommand.self),
                ]),
            CommandGroup(
                "ask",
                AnswerCommands.questions.map { .command($0) }
                    + [.command(AnalyticsCommand.self), .command(TypesCommand.self)]),
            CommandGroup(
                "drives",
                [
                    .command(DestinationCommand.self), .command(ScheduleCommand.self),
                    .command(WatchCommand.self), .command(CompactCommand.self),
                ]),
            CommandGroup(
                "other systems and studies",
                [
                    .command(ExportCommand.self), .command(ChangesCommand.self), .command(SyncCommand.self),
                    .command(KeyringCommand.self), .command(AssistantCommand.self),
                    .command(ShellCommand.self),
                ]),
            CommandGroup(
                "repair and keys",
                [
                    .command(RecoverCommand.self), .command(SessionCommand.self),
                    .command(PassphraseCommand.self), .command(ReaderCommand.self),
                ]),
        ],
        topics: [.types, .days, .sources, .passphrases, .formats, .exitStatus, .privacy, .archive])

    /// Runs the command with the arguments of the process, and exits with its status.
    package static func main() async {
        CurrentProcess.shareHeap()
        CurrentProcess.forbidCoreDumps()
        CurrentProcess.turnSignalsIntoErrors()
        let status = await ToolRun.status(of: "healthvault", { try commands.parse($0) }) { command in
            try await command.run()
        }
        CurrentProcess.exit(status.rawValue)
    }
}
