/// The grammar of one command: its name, its texts for help, and its elements.
///
/// The type of the command is constrained where that is needed, and not here: to make the type of each grammar, Swift would
/// look for the conformance of each command among all of the program, also for a run that calls one command.
public struct CommandGrammar<Command>: Sendable {
    let outline: CommandOutline
    // Made only for the command that is called: the key paths of all commands would take most of a short run.
    fileprivate let parts: @Sendable () -> [GrammarElement<Command>.Part]
    /// What is assigned before anything that is given.
    fileprivate var supplied: [(part: GrammarElement<Command>.Part, text: String)] = []
    fileprivate let version: String?
}

extension CommandGrammar where Command: ParsableCommand {
    /// Declares a command.
    ///
    /// `-h` and `--help` need no declaration. A grammar that contradicts itself (a name declared twice, a required
    /// argument after an optional one) stops the program when its elements are used for the first time.
    ///
    /// - Parameters:
    ///   - name: The word that invokes the command.
    ///   - summary: One line for lists of commands, which also opens the command's own help.
    ///   - discussion: Paragraphs for the command's own help; lines that begin with a space stay unchanged.
    ///   - examples: Command lines for the command's own help.
    ///   - version: The answer to `--version`, for a tool that is a single command.
    ///   - elements: The options and arguments, in the order help shows them.
    public init(
        name: String, summary: String, discussion: String = "", examples: [HelpExample] = [],
        version: String? = nil, elements: @autoclosure @escaping @Sendable () -> [GrammarElement<Command>]
    ) {
        let parts: @Sendable () -> [GrammarElement<Command>.Part] = { elements().flatMap(\.parts) }
        self.parts = parts
        self.version = version
        outline = CommandOutline(
            name: name, summary: summary, discussion: discussion, examples: examples,
            offersVersion: version != nil
        ) {
            parts().map(\.declaration)
        }
    }

    private init(
        _ outline: CommandOutline, _ parts: @escaping @Sendable () -> [GrammarElement<Command>.Part],
        supplied: [(part: GrammarElement<Command>.Part, text: String)]
    ) {
        self.outline = outline
        self.parts = parts
        self.supplied = supplied
        version = nil
    }

    /// Returns the grammar without an argument, which always has the same value, and without a section of options that have
    /// lost their meaning with it; examples, which show the argument, are left out.
    func supplying(_ argument: String, with text: String, withoutSection section: String) -> Self {
        let isSupplied = { (part: GrammarElement<Command>.Part) in
            part.declaration.isArgument && part.declaration.name == argument
        }
        let parts = parts()
        let supplied = parts.filter(isSupplied).map { (part: $0, text: text) }
        guard !supplied.isEmpty else { return self }
        let rest = parts.filter { !isSupplied($0) && $0.declaration.section != section }
        let outline = CommandOutline(
            name: outline.name, summary: outline.summary, discussion: outline.discussion, offersVersion: false
        ) {
            rest.map(\.declaration)
        }
        return Self(outline, { rest }, supplied: supplied)
    }

    /// Returns the command's help, or that of one of its actions; `invocation` is how the command is called, by default
    /// its name.
    public func help(invokedAs invocation: String? = nil, action: String? = nil) -> HelpPage {
        outline.help(invokedAs: invocation ?? outline.name, action: action)
    }

    /// Parses what follows the command's name; `invocation` is how it is called, by default its name.
    ///
    /// `--help` takes precedence over everything that comes after it, and over any missing or wrong value.
    public func parse(
        _ arguments: [String], invokedAs invocation: String? = nil
    ) throws(UsageError) -> ParsedInvocation<Command> {
        let invocation = invocation ?? outline.name
        var action: String?
        do throws(UsageError) {
            let all = parts()
            action = try givenAction(arguments, of: all.map(\.declaration) + [.help])
            // An element of the action is found before one of the same name that other actions take.
            let parts =
                all.filter { $0.declaration.isTaken(by: action) }
                + all.filter { !$0.declaration.isTaken(by: action) }
            let given = try GivenElements(
                arguments, of: outline.declarations(with: parts.map(\.declaration)), for: action)
            switch given.answer {
            case .help?: return .help(help(invokedAs: invocation, action: action))
            case .version?: return .text("\(version ?? "")\n")
            default: return .run(try command(from: given, assignedBy: parts))
            }
        } catch {
            throw error.hinting(
                "see '\(([invocation] + (action.map { [$0] } ?? [])).joined(separator: " ")) --help'")
        }
    }

    private func command(
        from given: GivenElements, assignedBy parts: [GrammarElement<Command>.Part]
    ) throws(UsageError) -> Command {
        var command = Command()
        for (part, text) in supplied {
            do throws(RejectedValue) { try part.assign(&command, text) } catch {
                throw .invalidValue(error, of: part.declaration, writtenAs: part.declaration.name)
            }
        }
        for value in try given.options + given.matchedArguments() {
            do throws(RejectedValue) {
                try parts[value.element].assign(&command, value.text)
            } catch {
                throw .invalidValue(error, of: given.declarations[value.element], writtenAs: value.spelling)
            }
        }
        try given.requireOptions()
        try command.validate()
        return command
    }
}
