/// A command line that is still being written: which command it calls, and what its next word may be.
///
/// Unlike parsing, reading it never fails: what is unknown is skipped.
struct UnfinishedLine {
    private let catalog: CommandCatalog
    /// The first word, which need not be a command.
    private var name: String?
    /// What a command that does several things is asked for.
    private var action: String?
    /// The first argument.
    private var argument: String?
    /// The option whose value is the next word.
    private var pending: ElementDeclaration?
    private var argumentCount = 0
    private var optionsEnded = false

    /// Reads the words before the one that is being written.
    init(_ words: some Sequence<String>, catalog: CommandCatalog) {
        self.catalog = catalog
        for word in words { read(word) }
    }

    private mutating func read(_ word: String) {
        if pending != nil {
            pending = nil
        } else if optionsEnded || word == "-" || !word.hasPrefix("-") {
            if name != nil {
                if argumentCount == 0, let command, command.actions.contains(where: { $0.word == word }) {
                    action = word
                }
                if argumentCount == 0 { argument = word }
                argumentCount += 1
            } else {
                name = word
            }
        } else if word == "--" {
            optionsEnded = true
        } else if word.hasPrefix("--") {
            pending = valueOption(word)
        } else {
            // In -abc, the first option that takes a value takes the rest of the word, if there is any.
            let letters = Array(word.dropFirst())
            guard let place = letters.firstIndex(where: { valueOption("-\($0)") != nil }) else { return }
            if place == letters.count - 1 { pending = valueOption("-\(letters[place])") }
        }
    }

    /// Returns how the word that is being written may go on.
    func completions(of current: String) -> Completions {
        if let pending { return values(of: pending, current) }
        if !optionsEnded, current.hasPrefix("-") {
            if let end = current.firstIndex(of: "="), let option = valueOption(String(current[..<end])) {
                let start = current.index(after: end)
                return values(of: option, String(current[start...]), after: String(current[..<start]))
            }
            let options =
                command.map { $0.options.filter { $0.isTaken(by: action) } }
                ?? (name == nil ? [.help, .version] : [.help])
            return Completions(
                options.flatMap { option in option.spellings.map { ($0, option.help) } }, of: current)
        }
        guard name != nil else {
            return Completions(catalog.outlines.map { ($0.name, $0.summary) }, of: current)
        }
        // What follows a command's name behind `help` is one of its actions.
        if name == "help", argumentCount > 0 {
            let actions = argument.flatMap { catalog.outline(named: $0) }?.actions ?? []
            return Completions((argumentCount == 1 ? actions : []).map { ($0.word, $0.meaning) }, of: current)
        }
        let arguments = command?.arguments.filter { $0.isTaken(by: action) } ?? []
        guard let repeatable = arguments.firstIndex(where: \.isRepeatable), argumentCount > repeatable else {
            return argumentCount < arguments.count
                ? values(of: arguments[argumentCount], current) : Completions()
        }
        // The word is one of what follows, if it may be.
        let following = arguments[(repeatable + 1)...].lazy.map { values(of: $0, current) }
        return following.first { !$0.candidates.isEmpty } ?? values(of: arguments[repeatable], current)
    }

    private var command: CommandOutline? { name.flatMap { catalog.outline(named: $0) } }

    private func valueOption(_ spelling: String) -> ElementDeclaration? {
        let options = command?.options ?? catalog.leadingDeclarations
        return options.first { $0.takesValue && $0.spellings.contains(spelling) }
    }

    private func values(
        of declaration: ElementDeclaration, _ current: String, after beginning: String = ""
    ) -> Completions {
        // Options before the command may be those of several commands, with different values.
        guard command != nil else { return Completions() }
        guard declaration.actions.isEmpty else {
            return Completions(
                declaration.actions.map { ($0.word, $0.meaning) }, of: current, after: beginning)
        }
        switch declaration.completion {
        case .none: return Completions()
        case .files: return Completions(kind: .files)
        case .folders: return Completions(kind: .folders)
        case .choice(let words): return Completions(words().map { ($0, "") }, of: current, after: beginning)
        case .names(let names): return Completions(names().map { ($0, "") }, of: current, after: beginning)
        case .list(let words):
            let start = current.lastIndex(of: ",").map { current.index(after: $0) } ?? current.startIndex
            return Completions(
                words().map { ($0, "") }, of: String(current[start...]), after: beginning + current[..<start])
        }
    }
}
