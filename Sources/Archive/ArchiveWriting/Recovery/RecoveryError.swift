public import ByteText
public import SystemIO

/// The reason why nothing can be recovered of an archive whose key is known.
public struct RecoveryError: ClassifiedError, Sendable, Equatable {
    /// The kinds of reasons.
    public enum Code: Sendable, Equatable {
        /// Nothing in the archive authenticates.
        case nothingLeft
    }

    /// The kind of reason.
    public let code: Code
    /// The path of the archive.
    public let path: BytePath

    /// Makes an error.
    init(_ code: Code, path: BytePath) {
        self.code = code
        self.path = path
    }
}

extension RecoveryError: CustomStringConvertible {
    /// What it means.
    public var kind: ErrorKind {
        switch code {
        case .nothingLeft: .damaged
        }
    }

    /// What happened, and with which archive, in a line that can be printed.
    public var description: String {
        let reason: TerminalText =
            switch code {
            case .nothingLeft: "nothing in it can be authenticated"
            }
        return "\(path): \(reason.text)"
    }
}
