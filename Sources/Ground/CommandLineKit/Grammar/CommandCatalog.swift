/// The outlines of all commands of a tool, with the queries that dispatch, help and completion need.
struct CommandCatalog: Sendable {
    let outlines: [CommandOutline]

    /// The names of all commands.
    var names: [String] { outlines.map(\.name) }

    /// Returns the command with this name.
    func outline(named name: String) -> CommandOutline? { outlines.first { $0.name == name } }

    /// The options that may precede the command's name: those of all commands.
    ///
    /// An option that takes a value in one command and none in another is left out, because it would be unclear
    /// whether the next argument is its value.
    var leadingDeclarations: [ElementDeclaration] {
        let all = [.help, .version] + outlines.flatMap(\.options)
        var takesValue: [String: Bool] = [:]
        var ambiguous: Set<String> = []
        for declaration in all {
            for spelling in declaration.spellings {
                let known = takesValue.updateValue(declaration.takesValue, forKey: spelling)
                if let known, known != declaration.takesValue { ambiguous.insert(spelling) }
            }
        }
        return all.compactMap { declaration in
            var declaration = declaration
            if declaration.shortSpelling.map(ambiguous.contains) == true { declaration.short = nil }
            return ambiguous.contains(declaration.longSpelling) ? nil : declaration
        }
    }
}
