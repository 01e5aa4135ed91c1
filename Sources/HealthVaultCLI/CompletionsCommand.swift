import CommandLineKit
import CommandOutput

/// The command `healthvault completions`.
struct CompletionsCommand: VaultCommand {
    var shell = CompletionShell.bash

    static let grammar = CommandGrammar<Self>(
        name: "completions", summary: "Prints a script that completes commands in a shell.",
        elements: [.argument(\.shell, "SHELL", "bash, zsh or fish", as: .choice)])

    func run() async throws -> ExitStatus {
        try Console.print(script: HealthVaultTool.commands.completionScript(for: shell))
        return .done
    }
}
