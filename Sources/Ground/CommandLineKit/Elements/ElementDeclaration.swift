/// What the grammar declares about one element, without the setting that its value is assigned to.
///
/// Parsing, help and completion use only declarations.
struct ElementDeclaration: Sendable {
    enum Form: Sendable {
        case help
        case version
        case flag
        case option
        case argument
    }

    var form: Form
    /// The long name without dashes, or the placeholder of an argument.
    var name: String
    var short: Character?
    /// The placeholder for the value in help: `PATH`.
    var placeholder = ""
    var help: String
    var isRequired = false
    var isRepeatable = false
    /// A description of valid values; see `ValueParser.expected`.
    var expected = ""
    var completion = ValueCompletion.none
    /// The default value, as shown in help; nil if there is none.
    var defaultText: String?
    /// The heading it is listed under in help; nil for the default one.
    var section: String?
    /// What an argument that names the action chooses from; empty for all other elements.
    var actions: [Action] = []
    /// The actions that take the element; nil if all do.
    var takers: [String]?

    /// Why the command takes no such option, which nothing else names; nil for one that it takes.
    var refusal: String?

    var isArgument: Bool { form == .argument }
    var takesValue: Bool { form == .option }
    var longSpelling: String { "--\(name)" }
    var shortSpelling: String? { short.map { "-\($0)" } }
    /// All spellings, the short one first.
    var spellings: [String] { [shortSpelling, longSpelling].compactMap(\.self) }

    /// One of the things that a command does, and what that is.
    struct Action: Sendable {
        var word: String
        var meaning: String
    }

    /// Returns whether an action takes the element; without an action, every element counts.
    func isTaken(by action: String?) -> Bool {
        guard let takers, let action else { return true }
        return takers.contains(action)
    }

    static let expertSection = "for experts"

    static let help = Self(form: .help, name: "help", short: "h", help: "show this help")
    static let version = Self(form: .version, name: "version", help: "show the version")
}
