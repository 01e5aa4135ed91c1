/// The outlines of all commands of a tool, with the queries that dispatch, help and completion need.
struct CommandCatalog: Sendable {
    let outlines: [CommandOutline]
    /// The descriptions of command families, by their first words.
    var familyMeanings: [String: String] = [:]

    /// Returns the words that may follow these.
    func choices(after words: [String]) -> [String] {
        var choices: [String] = []
        for candidate in outlines.map(\.words)
        where candidate.starts(with: words) && candidate.count > words.count {
            let next = candidate[words.count]
            if !choices.contains(next) { choices.append(next) }
        }
        return choices
    }

    /// The beginnings of names with several words, without the full names.
    var families: [[String]] {
        var families: [[String]] = []
        for words in outlines.map(\.words) {
            for count in 1..<words.count where !families.contains(Array(words.prefix(count))) {
                families.append(Array(words.prefix(count)))
            }
        }
        return families
    }

    /// Returns a description of the command or family with this name.
    func meaning(of words: [String]) -> String {
        let name = words.joined(separator: " ")
        let summary = outlines.first { $0.words == words }?.summary
        return summary ?? familyMeanings[name] ?? choices(after: words).joined(separator: ", ")
    }

    /// The names of all commands and families.
    var names: [String] { choices(after: []) + outlines.filter { $0.words.count > 1 }.map(\.name) }

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
