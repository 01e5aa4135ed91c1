package import CommandLineKit
package import SystemIO
package import VaultContainer
package import Wording

extension ErrorMessage {
    /// Prints the message on standard error, after the name of the tool, and then the hint.
    package func show(as tool: TerminalText = "healthvault") {
        Console.log("\(tool): \(message)")
        if !hint.isEmpty { Console.log(hint) }
    }

    /// Shows the message as JSON, for programs.
    package func showJSON() { Console.log(json: json) }
}

extension UsageError: WordedError {
    /// What is wrong; it quotes the command line, and is escaped here.
    package var words: TerminalText { "\(message)" }
    /// What to do next.
    package var advice: TerminalText { "\(hint)" }
}

extension WarningText {
    /// Prints the warnings about a container.
    package static func show(_ warnings: Set<ContainerWarning>, _ path: BytePath) {
        for warning in ContainerWarning.allCases where warnings.contains(warning) {
            Console.log("warning: \(path): \(describe(warning))")
        }
    }

    /// Prints the warnings about several containers, by path.
    package static func show(_ warnings: [BytePath: Set<ContainerWarning>]) {
        for (path, found) in warnings.sorted(by: { $0.key < $1.key }) { show(found, path) }
    }

    /// Warns about a replaced folder that could not be removed.
    package static func show(leftBehind folder: BytePath?) {
        guard let folder else { return }
        Console.log(
            "warning: the replaced folder could not be removed and is still there, unencrypted: \(folder)"
        )
    }
}
