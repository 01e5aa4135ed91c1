package import CommandLineKit
package import CommandOptions

/// The commands that answer questions about a source, as the groups of the help.
package enum AnswerCommands {
    /// The commands that query a source.
    package static let queries = CommandGroup<any VaultCommand>(
        "queries",
        [
            .command(QueryCommand.self), .command(StatsCommand.self),
            .command(SleepCommand.self), .command(ElectrocardiogramCommand.self),
            .command(ChartCommand.self), .command(ReportCommand.self),
            .command(AnalyticsCommand.self), .command(TrendCommand.self),
            .command(CorrelateCommand.self),
        ])

    /// The command that lists the types that can be asked for.
    package static let types = CommandEntry<any VaultCommand>.command(TypesCommand.self)
}
