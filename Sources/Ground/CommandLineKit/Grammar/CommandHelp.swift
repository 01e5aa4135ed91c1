extension CommandOutline {
    /// Returns the help of the command, or of one of its actions.
    func help(invokedAs invocation: String, action: String? = nil) -> HelpPage {
        let declarations = declarations.filter { $0.isTaken(by: action) }
        let arguments = declarations.filter { $0.isArgument && $0.actions.isEmpty }
        let options = self.options.filter { $0.isTaken(by: action) }
        let actions = declarations.flatMap(\.actions)
        var blocks: [HelpPage.Block] = []
        if let action {
            let invocation = "\(invocation) \(action)"
            blocks.append(.usage(invocation, Self.usageParts(arguments, options)))
            blocks += actions.filter { $0.word == action }.map { .text($0.meaning) }
        } else {
            let parts =
                actions.isEmpty
                ? Self.usageParts(arguments, options) : ["ACTION", "[OPTIONS]", "[ARGUMENTS]"]
            blocks += [.usage(invocation, parts), .text(summary), .text(discussion)]
            if !actions.isEmpty { blocks.append(.table("actions", actions.map(row))) }
        }
        var rows: [HelpPage.Row] = []
        for argument in arguments where !rows.contains(where: { $0.term == argument.name }) {
            rows.append(HelpPage.Row(term: argument.name, meaning: argument.help))
        }
        if !rows.isEmpty { blocks.append(.table("arguments", rows)) }
        blocks += Self.tables(of: options, perAction: action == nil)
        let example = action.map { "\(invocation) \($0) " }
        blocks.append(.examples(examples.filter { example.map(($0.command + " ").hasPrefix) ?? true }))
        if action != nil {
            blocks.append(.text("'\(invocation) --help' explains all actions."))
        }
        return HelpPage(blocks: blocks)
    }

    /// Returns how an action is called, and what it does.
    private func row(of action: ElementDeclaration.Action) -> HelpPage.Row {
        let arguments = arguments.filter { $0.isTaken(by: action.word) && $0.actions.isEmpty }
        return HelpPage.Row(
            term: ([action.word] + arguments.map(\.usage)).joined(separator: " "), meaning: action.meaning)
    }

    /// Returns the tables of options: those without a heading, those of some actions, those with a heading in the order
    /// of the grammar, and last those for experts.
    private static func tables(
        of options: [ElementDeclaration], perAction: Bool
    ) -> [HelpPage.Block] {
        var titles: [String] = []
        var rows: [String: [HelpPage.Row]] = [:]
        for option in options {
            let takers = perAction ? option.takers?.joined(separator: ", ") : nil
            let title =
                option.section.map { $0 + (takers.map { " (\($0))" } ?? "") }
                ?? takers.map { "options of \($0)" } ?? "options"
            if !titles.contains(title) { titles.append(title) }
            rows[title, default: []].append(option.helpRow)
        }
        let last = titles.filter { $0.hasPrefix(ElementDeclaration.expertSection) }
        let middle = titles.filter { $0 != "options" && !last.contains($0) }
        return (["options"] + middle + last).compactMap { title in rows[title].map { .table(title, $0) } }
    }

    private static func usageParts(
        _ arguments: [ElementDeclaration], _ options: [ElementDeclaration]
    ) -> [String] {
        let required = options.filter(\.isRequired).map { "\($0.longSpelling) \($0.placeholder)" }
        let hasOthers = options.contains { $0.form != .help && !$0.isRequired }
        return required + (hasOthers ? ["[OPTIONS]"] : []) + arguments.map(\.usage)
    }
}

extension ElementDeclaration {
    /// The option and what it does; long names without a short one are aligned with those that have one.
    var helpRow: HelpPage.Row {
        let start = shortSpelling.map { "\($0), " } ?? "    "
        let value = placeholder.isEmpty ? "" : " \(placeholder)"
        let meaning = defaultText.map { "\(help) (default: \($0))" } ?? help
        return HelpPage.Row(term: start + longSpelling + value, meaning: meaning)
    }

    fileprivate var usage: String {
        let repeated = isRepeatable ? "\(name)..." : name
        return isRequired ? repeated : "[\(repeated)]"
    }
}
