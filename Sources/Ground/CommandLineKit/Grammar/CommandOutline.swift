/// A command's name, texts and declarations: its grammar without the settings that values are assigned to.
struct CommandOutline: Sendable {
    let name: String
    let summary: String
    let discussion: String
    let examples: [HelpExample]
    private let offersVersion: Bool
    private let elements: @Sendable () -> [ElementDeclaration]

    /// The elements in the order of the grammar, then `--help` and, if offered, `--version`; made anew each time.
    var declarations: [ElementDeclaration] { declarations(with: elements()) }
    var arguments: [ElementDeclaration] { declarations.filter(\.isArgument) }
    var options: [ElementDeclaration] { declarations.filter { !$0.isArgument && $0.refusal == nil } }
    /// What the command does, if its first argument chooses from several actions.
    var actions: [ElementDeclaration.Action] { declarations.first?.actions ?? [] }

    init(
        name: String, summary: String, discussion: String, examples: [HelpExample] = [],
        offersVersion: Bool, elements: @escaping @Sendable () -> [ElementDeclaration]
    ) {
        self.name = name
        self.summary = summary
        self.discussion = discussion
        self.examples = examples
        self.offersVersion = offersVersion
        self.elements = elements
        if name.isEmpty || name.contains(" " as Character) {
            preconditionFailure("'\(name)' is no name of a command")
        }
    }

    /// Returns the declarations of a command whose grammar has these elements.
    func declarations(with elements: [ElementDeclaration]) -> [ElementDeclaration] {
        let declarations = elements + [.help] + (offersVersion ? [.version] : [])
        let actions = declarations.flatMap(\.actions).map(\.word)
        for action in actions.isEmpty ? [nil] : actions.map(Optional.some) {
            if let fault = Self.fault(in: declarations.filter { $0.isTaken(by: action) }) {
                preconditionFailure("the grammar of '\(name)' \(fault)")
            }
        }
        return declarations
    }

    /// Returns the mistake in declarations, if there is one.
    private static func fault(in declarations: [ElementDeclaration]) -> String? {
        let options = declarations.filter { !$0.isArgument }
        let arguments = declarations.filter(\.isArgument)
        var spellings: Set<String> = []
        for option in options {
            for spelling in option.spellings where !spellings.insert(spelling).inserted {
                return "declares \(spelling) twice"
            }
            if option.name.isEmpty || option.name.hasPrefix("-") || option.name.contains(where: " =".contains)
            {
                return "has the impossible option name '\(option.name)'"
            }
            if let short = option.short, " -=".contains(short) {
                return "has the impossible short name '\(short)'"
            }
        }
        if arguments.count(where: \.isRepeatable) > 1 { return "has several repeatable arguments" }
        for (earlier, later) in zip(arguments, arguments.dropFirst()) {
            if earlier.isRepeatable, !later.isRequired {
                return "has the optional \(later.name) after \(earlier.name), which takes all arguments"
            }
            if later.isRequired, !earlier.isRequired {
                return "has the required \(later.name) after the optional \(earlier.name)"
            }
        }
        return nil
    }
}
