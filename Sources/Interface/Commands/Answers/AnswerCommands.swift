package import CommandLineKit
package import SystemIO

/// The commands that answer questions about a source, in the order of the help.
package enum AnswerCommands {
    static let questions: [any VaultCommand.Type] = [
        QueryCommand.self, StatsCommand.self, SleepCommand.self, ElectrocardiogramCommand.self,
        ChartCommand.self, CorrelateCommand.self,
    ]

    /// Returns the commands for a prompt at which the source is not typed, because it is always this one.
    package static func queries(of source: BytePath) -> [CommandEntry<any VaultCommand>] {
        (questions + [ReportCommand.self]).map { .command($0, of: source) }
    }
}
