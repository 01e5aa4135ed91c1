import CommandLineKit
import Commands
import SystemIO
import Wording

/// The command `healthvault-generate`.
@main
enum HealthVaultGenerate: Sendable {
    static func main() async {
        CurrentProcess.turnSignalsIntoErrors()
        let status = await ToolRun.status(
            of: "healthvault-generate", { try GenerateCommand.grammar.parse($0) }
        ) {
            try $0.run()
        }
        CurrentProcess.exit(status.rawValue)
    }
}
