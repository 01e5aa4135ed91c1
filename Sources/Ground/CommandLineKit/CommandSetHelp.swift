extension CommandSet {
    /// The overview: all commands by group, and all topics.
    public var help: HelpPage {
        var blocks: [HelpPage.Block] = [
            .usage(invocation(of: ["COMMAND"]), ["[OPTIONS]", "[ARGUMENTS]"]), .text(summary),
            .text(discussion),
        ]
        blocks += groups.map { .table($0.title, $0.entries.map(\.outline).map(row)) }
        if !topics.isEmpty {
            blocks.append(.table("topics", topics.map { HelpPage.Row(term: $0.name, meaning: $0.summary) }))
        }
        blocks.append(.table("about the tool", builtIns.map(row)))
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

    /// Returns the page of a command, of one of its actions (`["session", "list"]`), or of a topic; without words, the
    /// overview.
    public func help(for words: [String]) throws(UsageError) -> HelpPage {
        // A name with a space may come as one argument: help 'session list'.
        let words = words.flatMap { $0.split(separator: " ") }.map(String.init)
        guard let name = words.first else { return help }
        let catalog = catalog
        // A topic may have the name of a command, to which it adds what several commands have in common.
        let topic = topics.first { $0.name == words.joined(separator: "-") }
        if let outline = catalog.outline(named: name) {
            let rest = words.dropFirst()
            if rest.isEmpty {
                let command = outline.help(invokedAs: invocation(of: words))
                return HelpPage(blocks: command.blocks + (topic?.help.blocks ?? []))
            }
            let actions = outline.actions.map(\.word)
            if rest.count == 1, let action = rest.first, actions.contains(action) {
                return outline.help(invokedAs: invocation(of: [name]), action: action)
            }
            if !actions.isEmpty { throw .unknownTopic(words, among: actions.map { "\(name) \($0)" }) }
        }
        if let topic { return topic.help }
        throw .unknownTopic(words, among: catalog.names + topics.map(\.name))
    }

    /// Returns what a command does, and its actions.
    private func row(of outline: CommandOutline) -> HelpPage.Row {
        let actions = outline.actions.map(\.word).joined(separator: ", ")
        guard !actions.isEmpty else { return HelpPage.Row(term: outline.name, meaning: outline.summary) }
        let sentence = outline.summary.hasSuffix(".") ? outline.summary.dropLast() : outline.summary[...]
        return HelpPage.Row(term: outline.name, meaning: "\(sentence) (\(actions)).")
    }
}
