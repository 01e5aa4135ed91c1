package import ByteText
package import HealthVault
package import SystemIO

/// The message for an error: what happened and where, what to do next, and the exit status.
package struct ErrorMessage {
    package private(set) var message: TerminalText
    package let hint: TerminalText
    package let kind: ErrorKind

    /// Creates the message for an error.
    package init(_ error: any Error) {
        kind = ErrorKind(error)
        switch error {
        case let error as any WordedError:
            message = error.words
            hint = error.advice
        // It says what happened; what to do depends on the caller.
        case let error as any ClassifiedError & CustomStringConvertible:
            message = TerminalText(escaping: error.description)
            hint = ""
        default:
            message = "unexpected error: \(TerminalText(escaping: "\(type(of: error))"))"
            hint = "please report this"
        }
    }

    /// Puts the path of what the error is about before the message, unless it begins with that.
    package mutating func name(_ path: BytePath) {
        let place: TerminalText = "\(path): "
        if !message.text.hasPrefix(place.text) { message = place + message }
    }

    /// The exit status.
    package var status: ExitStatus { ExitStatus(kind) }

    /// Returns with which archive something could not be done, and why; the reason may be another one that it continues.
    package static func describe(_ failure: ArchiveFailure) -> TerminalText {
        failure.path == failure.error.path ? "\(failure.error)" : "\(failure.path): \(failure.error)"
    }

    /// Writes with which of several archives something could not be done.
    package static func write(_ failures: [ArchiveFailure], _ writer: inout JSONWriter) {
        writer.member("failures", objects: failures) { failure, writer in
            let message = ErrorMessage(failure.error)
            writer.member("path", failure.path)
            writer.member("code", message.status.code)
            writer.member("message", message.message.text)
        }
    }

    /// The message as JSON, for programs.
    package var json: String {
        var writer = JSONWriter()
        writer.object { writer in
            writer.key("error")
            writer.object { writer in
                writer.member("code", status.code)
                writer.member("message", message.text)
                writer.member("hint", hint.text)
            }
        }
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}

/// An error with words for a person.
package protocol WordedError: ClassifiedError {
    /// What happened, and where.
    var words: TerminalText { get }
    /// What to do next; empty if there is nothing.
    var advice: TerminalText { get }
}

extension WordedError where Self: CustomStringConvertible {
    /// What the error says itself.
    package var words: TerminalText { "\(self)" }
}
