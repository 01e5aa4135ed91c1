import ByteText
import HealthArchive
import SystemIO
import Wording

/// A handle of the process that this one is a child of.
struct InheritedHandle: WordedError {
    var kind: ErrorKind { .failed }
    var words: TerminalText { "the archive was opened by the process that this one is a child of" }
    var advice: TerminalText { "open it again in the child" }
}

/// A column has more text or more elements than an array can have.
struct ArrayTooLarge: WordedError {
    var kind: ErrorKind { .failed }
    var words: TerminalText { "a column of one array has more than 2 GiB" }
    var advice: TerminalText { "leave the column out, or read texts as dictionaries" }
}

/// An argument of a call that cannot be used.
struct CallerError: WordedError {
    let words: TerminalText
    let advice: TerminalText
    var kind: ErrorKind { .usage }

    init(_ words: TerminalText, hint: TerminalText = "") {
        self.words = words
        advice = hint
    }
}

/// What is said about an error to a caller: the same as the command says, in the same words.
struct FailureText: Sendable {
    let status: Int32
    /// The name of the status, as in the command's JSON, or that of an unknown name or an unusable key ring.
    let code: String
    let message: String
    let hint: String

    init(_ error: any Error) {
        let ring = error as? KeyRingFailure
        let text = ErrorMessage(ring?.error ?? error)
        let isName =
            if case .unknownType? = (error as? VaultError)?.code { true } else { error is UnknownName }
        status = text.status.rawValue
        code = ring != nil ? "keyRing" : isName ? "unknownName" : text.status.code
        message = text.message.text
        hint = text.hint.text
    }

    /// Message and hint in one text.
    var joined: String { hint.isEmpty ? message : "\(message)\n\(hint)" }
}
