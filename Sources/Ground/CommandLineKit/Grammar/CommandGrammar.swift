/// The grammar of one command: its name, its texts for help, and its elements.
public struct CommandGrammar<Command: ParsableCommand>: Sendable {
    let outline: CommandOutline
    private let parts: [GrammarElement<Command>.Part]
    /// What is assigned before anything that is given.
    private var supplied: [(part: GrammarElement<Command>.Part, text: String)] = []
    private let version: String?

    /// Declares a command.
    ///
    /// `-h` and `--help` need no declaration. A grammar that contradicts itself (a name declared twice, a required
    /// argument after an optional one) stops the program.
    ///
    /// - Parameters:
    ///   - name: The word that invokes the command; two words, `session list`, for a member of a family.
    ///   - summary: One line for lists of commands, which also opens the command's own help.
    ///   - discussion: Paragraphs for the command's own help; lines that begin with a space stay unchanged.
    ///   - examples: Command lines for the command's own help.
    ///   - version: The answer to `--version`, for a tool that is a single command.
    ///   - elements: The options and arguments, in the order help shows them.
    public init(
        name: String, summary: String, discussion: String = "", examples: [HelpExample] = [],
        version: String? = nil, elements: [GrammarElement<Command>]
    ) {
        parts = elements.flatMap(\.parts)
        self.version = version
        outline = CommandOutline(
            name: name, summary: summary, discussion: discussion, examples: examples,
            elements: parts.map(\.declaration), offersVersion: version != nil)
    }

    private init(
        _ outline: CommandOutline, _ parts: [GrammarElement<Command>.Part],
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
        let supplied = parts.filter(isSupplied).map { (part: $0, text: text) }
        guard !supplied.isEmpty else { return self }
        let rest = parts.filter { !isSupplied($0) && $0.declaration.section != section }
        let outline = CommandOutline(
            name: outline.name, summary: outline.summary, discussion: outline.discussion,
            elements: rest.map(\.declaration), offersVersion: false)
        return Self(outline, rest, supplied: supplied)
    }

    /// Returns the command's help; `invocation` is how it is called, by default its name.
    public func help(invokedAs invocation: String? = nil) -> HelpPage {
        outline.help(invokedAs: invocation ?? outline.name)
    }

    /// Parses what follows the command's name; `invocation` is how it is called, by default its name.
    ///
    /// `--help` takes precedence over everything that comes after it, and over any missing or wrong value.
    public func parse(
        _ arguments: [String], invokedAs invocation: String? = nil
    ) throws(UsageError) -> ParsedInvocation<Command> {
        let invocation = invocation ?? outline.name
        do throws(UsageError) {
            let given = try GivenElements(arguments, of: outline.declarations)
            switch given.answer {
            case .help?: return .help(help(invokedAs: invocation))
            case .version?: return .text("\(version ?? "")\n")
            default: return .run(try command(from: given))
            }
        } catch {
            throw error.hinting("see '\(invocation) --help'")
        }
    }

    private func command(from given: GivenElements) throws(UsageError) -> Command {
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
                throw .invalidValue(error, of: outline.declarations[value.element], writtenAs: value.spelling)
            }
        }
        try given.requireOptions()
        try command.validate()
        return command
    }
}
