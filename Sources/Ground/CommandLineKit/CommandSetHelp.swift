/// The command `help`, which explains the tool, a command or a topic.
struct HelpCommand: ParsableCommand {
    var words: [String] = []

    static var grammar: CommandGrammar<Self> { grammar { [] } }

    static func grammar(offering words: @escaping @Sendable () -> [String]) -> CommandGrammar<Self> {
        CommandGrammar(
            name: "help", summary: "Explains a command.",
            elements: [
                .remainingArguments(
                    \.words, "NAME", "the command to explain; without it, lists all commands",
                    as: ValueParser(expected: "a name", completion: .choice(words())) { $0 })
            ])
    }
}

extension CommandSet {
    /// The overview: all commands by group, and all topics.
    public var help: HelpPage {
        var blocks: [HelpPage.Block] = [
            .usage(invocation(of: ["COMMAND"]), ["[OPTIONS]", "[ARGUMENTS]"]), .text(summary),
            .text(discussion),
        ]
        blocks += groups.map { .table($0.title, rows(of: $0)) }
        if !topics.isEmpty {
            blocks.append(.table("topics", topics.map { HelpPage.Row(term: $0.name, meaning: $0.summary) }))
        }
        blocks.append(.table("options", [ElementDeclaration.help, .version].map(\.helpRow)))
        let more = topics.isEmpty ? "" : " '\(invocation(of: ["help"])) TOPIC' shows a page of the manual."
        blocks.append(.text("'\(invocation(of: ["help"])) COMMAND' explains a command.\(more)"))
        return HelpPage(blocks: blocks)
    }

    /// The page shown when the tool is called without arguments.
    var introductoryHelp: HelpPage {
        HelpPage(blocks: [
            .usage(invocation(of: ["COMMAND"]), ["[OPTIONS]", "[ARGUMENTS]"]), .text(summary),
            .examples(introduction),
            .text("'\(name) help' lists all commands, '\(name) help COMMAND' explains one."),
        ])
    }

    /// Returns the page of the command, family of commands or topic with this name; without words, the overview.
    public func help(for words: [String]) throws(UsageError) -> HelpPage {
        // A name with a space may come as one argument: help 'session list'.
        let words = words.flatMap { $0.split(separator: " ") }.map(String.init)
        let name = words.joined(separator: " ")
        if words.isEmpty { return help }
        let catalog = catalog
        // A topic may have the name of a command, to which it adds what several commands have in common.
        let topic = topics.first { $0.name == words.joined(separator: "-") }
        if let outline = catalog.outlines.first(where: { $0.words == words }) {
            let command = outline.help(invokedAs: invocation(of: words))
            return HelpPage(blocks: command.blocks + (topic?.help.blocks ?? []))
        }
        if let topic { return topic.help }
        let members = catalog.outlines.filter { $0.words.starts(with: words) }
        guard !members.isEmpty else {
            throw .unknownTopic(words, among: catalog.names + topics.map(\.name))
        }
        return HelpPage(blocks: [
            .usage(invocation(of: words), ["COMMAND", "[OPTIONS]", "[ARGUMENTS]"]),
            .text(families[name] ?? ""),
            .table("commands", members.map { HelpPage.Row(term: $0.name, meaning: $0.summary) }),
        ])
    }

    /// The grammar of the command `help`.
    var helpGrammar: CommandGrammar<HelpCommand> {
        HelpCommand.grammar {
            CommandCatalog(outlines: entries.map(\.outline)).choices(after: []) + topics.map(\.name)
        }
    }

    private func rows(of group: CommandGroup<Command>) -> [HelpPage.Row] {
        var rows: [HelpPage.Row] = []
        for outline in group.entries.map(\.outline) {
            guard let family = outline.words.first, outline.words.count > 1, let meaning = families[family]
            else {
                rows.append(HelpPage.Row(term: outline.name, meaning: outline.summary))
                continue
            }
            if rows.contains(where: { $0.term == family }) { continue }
            let members = catalog.choices(after: [family]).joined(separator: ", ")
            rows.append(HelpPage.Row(term: family, meaning: "\(meaning) (\(members))"))
        }
        return rows
    }
}
