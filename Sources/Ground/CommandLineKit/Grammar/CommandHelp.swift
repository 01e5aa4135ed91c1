extension CommandOutline {
    /// Returns the help of one command.
    func help(invokedAs invocation: String) -> HelpPage {
        let declarations = declarations
        let arguments = declarations.filter(\.isArgument)
        let options = declarations.filter { !$0.isArgument }
        var blocks: [HelpPage.Block] = [
            .usage(invocation, Self.usageParts(arguments, options)), .text(summary), .text(discussion),
        ]
        if !arguments.isEmpty {
            blocks.append(
                .table("arguments", arguments.map { HelpPage.Row(term: $0.name, meaning: $0.help) }))
        }
        blocks.append(.table("options", options.filter { $0.section == nil }.map(\.helpRow)))
        var sections: [String] = []
        for option in options {
            if let section = option.section, !sections.contains(section) { sections.append(section) }
        }
        for section in sections {
            blocks.append(.table(section, options.filter { $0.section == section }.map(\.helpRow)))
        }
        blocks.append(.examples(examples))
        return HelpPage(blocks: blocks)
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
