import CommandLineKit
import CommandOutput
import HealthVault
import SystemIO

/// The command `healthvault status`.
struct StatusCommand: VaultCommand {
    var json = false
    var configuration = ConfigurationOption()
    var stateFolder = StateFolderOption()

    static let grammar = CommandGrammar<Self>(
        name: "status",
        summary: "Shows whether automatic exports are up to date.",
        discussion: """
            For each schedule it shows when an export was last complete and verified, when the next one is due, and \
            what one that is due is waiting for.
            """,
        elements: [
            .flag(\.json, "json", "report as JSON"),
            .including(\.configuration, ConfigurationOption.elements),
            .including(\.stateFolder, StateFolderOption.elements),
        ])

    func run() async throws -> ExitStatus {
        let states = try ScheduleState.all(configuration, stateFolder)
        if json {
            try Console.print(json: ScheduleState.json(states))
        } else if states.isEmpty {
            try Console.print("no exports are scheduled")
        } else {
            try Console.print(ScheduleState.table(states))
        }
        return .done
    }
}
