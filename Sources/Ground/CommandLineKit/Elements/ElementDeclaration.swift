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

    var isArgument: Bool { form == .argument }
    var takesValue: Bool { form == .option }
    var longSpelling: String { "--\(name)" }
    var shortSpelling: String? { short.map { "-\($0)" } }
    /// All spellings, the short one first.
    var spellings: [String] { [shortSpelling, longSpelling].compactMap(\.self) }

    static let help = Self(form: .help, name: "help", short: "h", help: "show this help")
    static let version = Self(form: .version, name: "version", help: "show the version")
}
