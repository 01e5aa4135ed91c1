import ArchiveManifest
import CommandOutput
import SystemIO

/// A handle of the process that this one is a child of.
struct InheritedHandle: Error {}

/// A column has more text or more elements than an array can have.
struct ArrayTooLarge: Error {}

/// What is said about an error to a caller: the same as the command says, in the same words.
struct FailureText: Sendable {
    let status: Int32
    /// The name of the status, as in the command's JSON, or that of an unknown name.
    let code: String
    let message: String
    let hint: String

    init(_ error: any Error) {
        switch error {
        case is InheritedHandle:
            self.init(
                .failed, "the archive was opened by the process that this one is a child of",
                hint: "open it again in the child")
        case is ArrayTooLarge:
            self.init(
                .failed, "a column of one array has more than 2 GiB",
                hint: "leave the column out, or read texts as dictionaries")
        case let error as UnknownName:
            self.init(
                .usage, code: Self.unknownName,
                "'\(TerminalText(escaping: error.name).text)' is not the name of a \(error.kind.rawValue)",
                hint: error.suggestion.map { "did you mean '\($0)'?" } ?? "")
        case let failure as KeyRingFailure:
            let text = ErrorMessage(failure.error)
            self.init(text.status, code: "keyRing", text.message.text, hint: text.hint.text)
        default:
            let text = ErrorMessage(error)
            let isName = if case .unknownType? = (error as? VaultError)?.code { true } else { false }
            self.init(
                text.status, code: isName ? Self.unknownName : nil, text.message.text, hint: text.hint.text)
        }
    }

    private static let unknownName = "unknownName"

    private init(_ status: ExitStatus, code: String? = nil, _ message: String, hint: String) {
        self.status = status.rawValue
        self.code = code ?? status.code
        self.message = message
        self.hint = hint
    }

    /// Message and hint in one text.
    var joined: String { hint.isEmpty ? message : "\(message)\n\(hint)" }
}
