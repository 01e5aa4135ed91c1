package import CommandLineKit
package import SystemIO

/// The commands that answer questions about a source, in the order of the help.
package enum AnswerCommands {
    /// The commands that query a source.
    package static let queries: [CommandEntry<any VaultCommand>] = questions.map { .command($0) }

    /// Returns the commands that query a source, for a prompt at which it is not typed because it is always this one.
    package static func queries(of source: BytePath) -> [CommandEntry<any VaultCommand>] {
        // Analytics write a database from a source, or read one; an assistant talks over the streams of the prompt.
        questions.filter { $0 != AnalyticsCommand.self && $0 != AssistantCommand.self }.map {
            .command($0, of: source)
        }
    }

    private static let questions: [any VaultCommand.Type] = [
        QueryCommand.self, StatsCommand.self, SleepCommand.self, ElectrocardiogramCommand.self,
        ChartCommand.self, ReportCommand.self, AnalyticsCommand.self, TrendCommand.self,
        CorrelateCommand.self, AssistantCommand.self,
    ]

    /// The command that lists the types that can be asked for.
    package static let types = CommandEntry<any VaultCommand>.command(TypesCommand.self)
}
