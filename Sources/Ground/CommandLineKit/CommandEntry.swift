/// A command with its own type erased to the one that the tool runs.
public struct CommandEntry<Command: Sendable>: Sendable {
    let outline: CommandOutline
    let parse: @Sendable ([String], String) throws(UsageError) -> ParsedInvocation<Command>

    /// Creates an entry; `erase` converts the command to what the tool runs, usually with `{ $0 }`.
    public init<Specific: ParsableCommand>(
        _ command: Specific.Type, _ erase: @escaping @Sendable (Specific) -> Command
    ) {
        let grammar = command.grammar
        outline = grammar.outline
        parse = { (arguments, invocation) throws(UsageError) in
            try grammar.parse(arguments, invokedAs: invocation).map(erase)
        }
    }
}

/// Commands under a heading in the list of all commands.
public struct CommandGroup<Command: Sendable>: Sendable {
    /// The heading, in lower case and without a colon.
    public let title: String
    let entries: [CommandEntry<Command>]

    /// Creates a group of commands, in the order of the list.
    public init(_ title: String, _ entries: [CommandEntry<Command>]) {
        self.title = title
        self.entries = entries
    }
}
