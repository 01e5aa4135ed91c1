import CommandLineKit
import SystemIO
import Wording

/// The command `healthvault version`.
struct VersionCommand: VaultCommand {
    static let grammar = CommandGrammar<Self>(
        name: "version", summary: "Prints the version.",
        examples: [
            HelpExample("healthvault version", "Print the version"),
            HelpExample("healthvault --version", "The same"),
        ],
        elements: [])

    func run() async throws -> ExitStatus {
        try Console.print("\(ToolVersion.text)")
        return .done
    }
}
