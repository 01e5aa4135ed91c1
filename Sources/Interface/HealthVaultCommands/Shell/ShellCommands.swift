import CommandLineKit
import SystemIO

/// The commands of the shell: those that answer questions, without their source.
enum ShellCommands {
    /// Returns the commands for a source.
    static func set(for source: BytePath) -> CommandSet<any VaultCommand> {
        func query<C: VaultCommand>(_ command: C.Type) -> CommandEntry<any VaultCommand> {
            CommandEntry(
                command, supplying: SourceOptions.name, with: source.text ?? "",
                withoutSection: SourceOptions.section
            ) { $0 }
        }
        return CommandSet(
            name: "", summary: "Answers questions about the source that the shell was started with.",
            version: ToolVersion.text,
            groups: [
                CommandGroup(
                    "queries",
                    [
                        query(InspectCommand.self), query(QueryCommand.self), query(StatsCommand.self),
                        query(SleepCommand.self), query(ElectrocardiogramCommand.self),
                        query(ChartCommand.self), query(TrendCommand.self), query(CorrelateCommand.self),
                        query(ReportCommand.self),
                    ]),
                CommandGroup("other", [.command(TypesCommand.self), .command(ExitCommand.self)]),
            ])
    }
}
