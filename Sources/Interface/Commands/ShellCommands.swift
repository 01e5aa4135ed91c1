import CommandLineKit
import SystemIO
import Wording

/// The commands of the shell: those that answer questions, without their source.
enum ShellCommands {
    /// Returns the commands for a source.
    static func set(for source: BytePath) -> CommandSet<any VaultCommand> {
        CommandSet(
            name: "", summary: "Answers questions about the source that the shell was started with.",
            version: ToolVersion.text,
            groups: [
                CommandGroup(
                    "queries",
                    [.command(InspectCommand.self, of: source)] + AnswerCommands.queries(of: source)),
                CommandGroup("other", [AnswerCommands.types, .command(ExitCommand.self)]),
            ])
    }
}

/// The command `exit` of the shell.
struct ExitCommand: VaultCommand {
    static let grammar = CommandGrammar<Self>(name: "exit", summary: "Ends the shell.", elements: [])

    func run() async throws -> ExitStatus { .done }
}
