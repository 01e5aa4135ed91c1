/// What the grammar says about one element, without where its value goes.
///
/// Parsing, help and completion read nothing but declarations.
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
    /// What stands for the value in help: `PATH`.
    var placeholder = ""
    var help: String
    var isRequired = false
    var isRepeatable = false
    /// What a right value is; see `ValueParser.expected`.
    var expected = ""
    var completion = ValueCompletion.none
    /// The heading it stands under in help; nil for the usual one.
    var section: String?

    var isArgument: Bool { form == .argument }
    var takesValue: Bool { form == .option }
    var longSpelling: String { "--\(name)" }
    var shortSpelling: String? { short.map { "-\($0)" } }
    /// All ways to write it, the short one first.
    var spellings: [String] { [shortSpelling, longSpelling].compactMap(\.self) }

    static let help = Self(form: .help, name: "help", short: "h", help: "show this help")
    static let version = Self(form: .version, name: "version", help: "show the version")
}
