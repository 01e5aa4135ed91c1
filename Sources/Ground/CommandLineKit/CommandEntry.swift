/// A command with its own type erased to the one that the tool runs.
public struct CommandEntry<Command: Sendable>: Sendable {
    let outline: CommandOutline
    let parse: @Sendable ([String], String) throws(UsageError) -> ParsedInvocation<Command>

    /// Creates an entry; `erase` converts the command to what the tool runs, usually with `{ $0 }`.
    public init<Specific: ParsableCommand>(
        _ command: Specific.Type, _ erase: @escaping @Sendable (Specific) -> Command
    ) {
        self.init(command.grammar, erase)
    }

    /// Creates an entry for a prompt at which an argument is not typed, because it is always the same.
    ///
    /// - Parameters:
    ///   - command: The command.
    ///   - argument: The name of the argument in the command's grammar; a command without it stays as it is.
    ///   - text: Its value.
    ///   - section: The heading of the options that have no meaning without the argument.
    ///   - erase: Converts the command to what the tool runs.
    public init<Specific: ParsableCommand>(
        _ command: Specific.Type, supplying argument: String, with text: String,
        withoutSection section: String,
        _ erase: @escaping @Sendable (Specific) -> Command
    ) {
        self.init(command.grammar.supplying(argument, with: text, withoutSection: section), erase)
    }

    private init<Specific: ParsableCommand>(
        _ grammar: CommandGrammar<Specific>, _ erase: @escaping @Sendable (Specific) -> Command
    ) {
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
