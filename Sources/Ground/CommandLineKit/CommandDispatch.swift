extension CommandSet {
    /// Finds the command that the first positionals name, and parses everything else with its grammar.
    ///
    /// Options may also precede the command's name.
    public func parse(_ arguments: [String]) throws(UsageError) -> ParsedInvocation<Command> {
        do {
            return try dispatch(arguments)
        } catch {
            let order = error.code == .unknownOption ? "write options after the command, or " : ""
            throw error.hinting("\(order)see '\(helpInvocation)'")
        }
    }

    private func dispatch(_ arguments: [String]) throws(UsageError) -> ParsedInvocation<Command> {
        if arguments.isEmpty, !introduction.isEmpty { return .help(introductoryHelp) }
        if let answer = completions(for: arguments) { return .text(answer) }
        if let answer = manual(for: arguments) { return .text(answer) }
        let catalog = catalog
        // Options of all commands are needed only before a command's name.
        let isNamedFirst =
            catalog.outlines.contains { arguments.starts(with: $0.words) }
            || [ElementDeclaration.help, .version].contains { declaration in
                arguments.first.map { declaration.spellings.contains($0) } ?? false
            }
        let declarations = isNamedFirst ? [.help, .version] : catalog.leadingDeclarations
        var scanner = ArgumentScanner(arguments, declarations: declarations)
        var rest = arguments
        var words: [String] = []
        while let token = try scanner.next() {
            switch token {
            case .option(let index, _, _):
                switch declarations[index].form {
                case .help: return .help(try help(for: words))
                case .version: return .text("\(version)\n")
                case .flag, .option, .argument: continue
                }
            case .positional(let word, let position):
                rest.remove(at: position - words.count)
                words.append(word)
                if words == ["help"] { return try answerHelp(rest) }
                if let entry = entries.first(where: { $0.outline.words == words }) {
                    return try entry.parse(rest, invocation(of: words))
                }
                guard !catalog.choices(after: words).isEmpty else {
                    throw .unknownCommand(words, among: catalog.names)
                }
            }
        }
        throw .missingCommand(after: words, choices: catalog.choices(after: words))
            .hinting("see '\(words.isEmpty ? helpInvocation : invocation(of: words) + " --help")'")
    }

    private func answerHelp(_ arguments: [String]) throws(UsageError) -> ParsedInvocation<Command> {
        switch try helpGrammar.parse(arguments, invokedAs: invocation(of: ["help"])) {
        case .run(let command): .help(try help(for: command.words))
        case .help(let page): .help(page)
        case .text(let text): .text(text)
        }
    }
}
