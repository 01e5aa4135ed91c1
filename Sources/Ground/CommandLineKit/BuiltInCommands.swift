/// The command `help`, which explains the tool, a command or a topic.
struct HelpCommand: ParsableCommand {
    var words: [String] = []

    static var grammar: CommandGrammar<Self> { grammar(of: "") { [] } }

    static func grammar(
        of tool: String, offering words: @escaping @Sendable () -> [String]
    ) -> CommandGrammar<Self> {
        CommandGrammar(
            name: "help", summary: "Explains a command.",
            examples: tool.isEmpty
                ? []
                : [
                    HelpExample("\(tool) help", "List all commands"),
                    HelpExample("\(tool) help help", "Explain this one"),
                ],
            elements: [
                .repeatedArgument(
                    \.words, "NAME", "the command to explain; without it, lists all commands",
                    as: ValueParser(expected: "a name", completion: .choice(words())) { $0 })
            ])
    }
}

/// The command `version`, which says what `--version` says.
private struct VersionCommand: ParsableCommand {
    static var grammar: CommandGrammar<Self> { grammar(of: "") }

    static func grammar(of tool: String) -> CommandGrammar<Self> {
        CommandGrammar(
            name: "version", summary: "Prints the version.",
            examples: [
                HelpExample("\(tool) version", "Print the version"),
                HelpExample("\(tool) --version", "The same"),
            ], elements: [])
    }
}

/// The command `completions`, which prints a script for a shell.
private struct CompletionsCommand: ParsableCommand {
    var shell = CompletionShell.bash

    static var grammar: CommandGrammar<Self> { grammar(of: "") }

    static func grammar(of tool: String) -> CommandGrammar<Self> {
        CommandGrammar(
            name: "completions", summary: "Prints a shell completion script.",
            discussion: """
                Load the script in the startup file of your shell: ~/.bashrc, ~/.zshrc (after compinit) or \
                ~/.config/fish/config.fish.
                """,
            examples: [
                HelpExample(
                    "source <(\(tool) completions bash)", "In ~/.bashrc, or zsh instead of bash in ~/.zshrc"),
                HelpExample("\(tool) completions fish | source", "In ~/.config/fish/config.fish"),
            ],
            elements: [.argument(\.shell, "SHELL", "bash, zsh or fish", as: .choice)])
    }
}

/// The commands that every tool has.
extension CommandSet {
    /// Their outlines; at a tool's own prompt, `help` alone has a meaning.
    var builtIns: [CommandOutline] {
        let help = helpGrammar.outline
        return name.isEmpty
            ? [help]
            : [help, VersionCommand.grammar(of: name).outline, CompletionsCommand.grammar(of: name).outline]
    }

    private var helpGrammar: CommandGrammar<HelpCommand> {
        HelpCommand.grammar(of: name) {
            let names = catalog.names
            return names + topics.map(\.name).filter { !names.contains($0) }
        }
    }

    /// Returns the answer to one of them; nil if `word` is none.
    func builtInAnswer(
        to word: String, _ arguments: [String]
    ) throws(UsageError) -> ParsedInvocation<Command>? {
        guard builtIns.contains(where: { $0.name == word }) else { return nil }
        let invocation = invocation(of: [word])
        switch word {
        case "version":
            return try VersionCommand.grammar(of: name).parse(arguments, invokedAs: invocation).answer { _ in
                .text("\(version)\n")
            }
        case "completions":
            let grammar = CompletionsCommand.grammar(of: name)
            return try grammar.parse(arguments, invokedAs: invocation).answer { command in
                .text(completionScript(for: command.shell))
            }
        default:
            return try helpGrammar.parse(arguments, invokedAs: invocation).answer {
                (command) throws(UsageError) in
                .help(try help(for: command.words))
            }
        }
    }
}
