import CommandLineKit
import CommandOutput
import HealthVault
import SystemIO

/// The command `healthvault completions`.
struct CompletionsCommand: VaultCommand {
    /// What can be printed.
    enum Subject: String, CaseIterable, Sendable {
        case bash
        case zsh
        case fish
        case sessions
        case destinations
    }

    var subject = Subject.bash
    var configuration = ConfigurationOption()
    var stateFolder = StateFolderOption()

    static let grammar = CommandGrammar<Self>(
        name: "completions", summary: "Prints a shell completion script.",
        discussion: """
            Load the script in the startup file of your shell: ~/.bashrc, ~/.zshrc (after compinit) or \
            ~/.config/fish/config.fish. 'sessions' and 'destinations' print the names that the scripts offer.
            """,
        examples: [
            HelpExample(
                "source <(healthvault completions bash)", "In ~/.bashrc, or zsh instead of bash in ~/.zshrc"),
            HelpExample("healthvault completions fish | source", "In ~/.config/fish/config.fish"),
        ],
        elements: [
            .argument(\.subject, "SHELL", "bash, zsh or fish; sessions or destinations", as: .choice),
            .including(\.configuration, ConfigurationOption.elements),
            .including(\.stateFolder, StateFolderOption.elements),
        ])

    func run() async throws -> ExitStatus {
        switch subject {
        case .bash: try printScript(.bash)
        case .zsh: try printScript(.zsh)
        case .fish: try printScript(.fish)
        case .sessions:
            for session in try stateFolder.records().all() {
                try Console.print("\(session.record.identifier)")
            }
        case .destinations:
            for destination in try configuration.destinations.all() {
                try Console.print("\(destination.name)")
            }
        }
        return .done
    }

    private func printScript(_ shell: CompletionShell) throws {
        try Console.print(generated: HealthVaultTool.commands.completionScript(for: shell))
    }
}
