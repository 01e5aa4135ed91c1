import CommandLineKit
import Wording

/// The command `healthvault completions`.
struct CompletionsCommand: VaultCommand {
    var shell = CompletionShell.bash

    static let grammar = CommandGrammar<Self>(
        name: "completions", summary: "Prints a shell completion script.",
        discussion: """
            Load the script in the startup file of your shell: ~/.bashrc, ~/.zshrc (after compinit) or \
            ~/.config/fish/config.fish.
            """,
        examples: [
            HelpExample(
                "source <(healthvault completions bash)", "In ~/.bashrc, or zsh instead of bash in ~/.zshrc"),
            HelpExample("healthvault completions fish | source", "In ~/.config/fish/config.fish"),
        ],
        elements: [.argument(\.shell, "SHELL", "bash, zsh or fish", as: .choice)])

    func run() async throws -> ExitStatus {
        try Console.print(generated: HealthVaultTool.commands.completionScript(for: shell))
        return .done
    }
}
