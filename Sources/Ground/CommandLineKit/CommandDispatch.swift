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
            arguments.first.map { catalog.outline(named: $0) != nil } ?? false
            || [ElementDeclaration.help, .version].contains { declaration in
                arguments.first.map { declaration.spellings.contains($0) } ?? false
            }
        let declarations = isNamedFirst ? [.help, .version] : catalog.leadingDeclarations
        var scanner = ArgumentScanner(arguments, declarations: declarations)
        while let token = try scanner.next() {
            switch token {
            case .option(let index, _, _):
                switch declarations[index].form {
                case .help: return .help(help)
                case .version: return .text("\(version)\n")
                case .flag, .option, .argument: continue
                }
            case .positional(let word, let position):
                var rest = arguments
                rest.remove(at: position)
                if let answer = try builtInAnswer(to: word, rest) { return answer }
                guard let entry = entries.first(where: { $0.outline.name == word }) else {
                    throw .unknownCommand(word, among: catalog.names)
                }
                return try entry.parse(rest, invocation(of: [word]))
            }
        }
        throw .missingCommand
    }
}
