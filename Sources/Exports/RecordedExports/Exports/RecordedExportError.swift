public import SystemIO

/// The reason why a session cannot be continued with what was asked for, or with what is there.
public struct RecordedExportError: Error, Sendable, Equatable {
    /// The kinds of reasons.
    public enum Code: Sendable, Equatable {
        /// The session belongs to an export with other options, whose names are listed.
        case otherOptions([String])
        /// The output of the session is no longer where it was.
        case outputMissing
        /// The file or folder at the target is not the output of the session.
        case otherOutput
    }

    /// The kind of reason.
    public let code: Code
    /// The path of the target.
    public let path: BytePath

    /// Makes an error.
    init(_ code: Code, path: BytePath) {
        self.code = code
        self.path = path
    }
}

extension RecordedExportError: CustomStringConvertible {
    /// What happened, and with which output, in a line that can be printed.
    public var description: String {
        let reason: TerminalText =
            switch code {
            case .otherOptions(let options):
                "the session belongs to an export with different \(options.joined(separator: ", "))"
            case .outputMissing: "written by this session, but now missing"
            case .otherOutput: "not the output of this session"
            }
        return "\(path): \(reason.text)"
    }
}
