/// The elements that a command line gives, as text, with the checks that need no values.
struct GivenElements {
    struct Value {
        /// The index of the declaration.
        var element: Int
        /// How it was written: `-o`, `--output`, or the placeholder of an argument.
        var spelling: String
        var text: String
    }

    /// `--help` or `--version`, if one of them is given; nothing after it is read.
    private(set) var answer: ElementDeclaration.Form?
    private(set) var options: [Value] = []
    private var positionals: [String] = []
    let declarations: [ElementDeclaration]
    private let action: String?

    /// Reads arguments; `action` is what they ask for, of a command that does several things.
    init(
        _ arguments: [String], of declarations: [ElementDeclaration], for action: String?
    ) throws(UsageError) {
        self.declarations = declarations
        self.action = action
        var scanner = ArgumentScanner(arguments, declarations: declarations)
        while answer == nil, let token = try scanner.next() {
            switch token {
            case .positional(let text, _):
                positionals.append(text)
            case .option(let element, let spelling, let text):
                let declaration = declarations[element]
                if let action, !declaration.isTaken(by: action) {
                    throw .foreignOption(spelling, in: action, among: declarations)
                }
                if declaration.form == .help || declaration.form == .version {
                    answer = declaration.form
                } else if declaration.takesValue, !declaration.isRepeatable, gives(element) {
                    throw .repeatedOption(declaration, writtenAs: spelling)
                } else {
                    options.append(Value(element: element, spelling: spelling, text: text))
                }
            }
        }
    }

    /// Returns the positionals, each with the argument that it fills.
    func matchedArguments() throws(UsageError) -> [Value] {
        var remaining = positionals[...]
        var matched: [Value] = []
        let arguments = declarations.enumerated().filter { $1.isArgument && $1.isTaken(by: action) }
        for (number, (element, declaration)) in arguments.enumerated() {
            if declaration.isRequired, remaining.isEmpty { throw .missingArgument(declaration) }
            // What follows a repeatable argument is required.
            let rest = arguments.count - number - 1
            let count = declaration.isRepeatable ? max(1, remaining.count - rest) : 1
            matched += remaining.prefix(count).map { text in
                Value(element: element, spelling: declaration.name, text: text)
            }
            remaining = remaining.dropFirst(count)
        }
        if let surplus = remaining.first {
            throw .surplusArgument(surplus, among: declarations.filter { $0.isTaken(by: action) })
        }
        return matched
    }

    /// Checks that every required option is given.
    func requireOptions() throws(UsageError) {
        for (element, declaration) in declarations.enumerated() {
            if declaration.takesValue, declaration.isRequired, declaration.isTaken(by: action),
                !gives(element)
            {
                throw .missingOption(declaration)
            }
        }
    }

    private func gives(_ element: Int) -> Bool {
        options.contains { $0.element == element }
    }
}

/// Returns the action that arguments ask for, which is the first positional; nil for a command without actions, and where help
/// is asked for before it.
func givenAction(
    _ arguments: [String], of declarations: [ElementDeclaration]
) throws(UsageError) -> String? {
    guard let declaration = declarations.first(where: { !$0.actions.isEmpty }) else { return nil }
    var scanner = ArgumentScanner(arguments, declarations: declarations)
    while let token = try scanner.next() {
        switch token {
        case .positional(let word, _):
            guard declaration.actions.contains(where: { $0.word == word }) else {
                throw .invalidValue(RejectedValue(part: word), of: declaration, writtenAs: declaration.name)
            }
            return word
        case .option(let element, _, _):
            if declarations[element].form == .help { return nil }
        }
    }
    throw .missingArgument(declaration)
}
