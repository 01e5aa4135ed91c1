/// Why a session cannot be created or restored.
public enum SessionError: Error, Sendable, Equatable {
    /// A session of this name exists, with a batch processor of another type or name.
    case conflictingSessionAlreadyExists
    /// The start lies behind the end.
    case startAfterEnd
    /// The name is none that a file could have; see ``BulkExportSessionIdentifier/isUsable``.
    case invalidIdentifier
    /// A session of this name exists, and was asked for other things: the names of the options that differ.
    ///
    /// A session can be extended by sample types, and by nothing else.
    case differentOptions([String])
    /// The store does not hold any more what it held when the session was created.
    case sourceChanged
    /// Another process has the session.
    case inUse
    /// A running session is to be extended; it can be when it is paused.
    case isRunning
    /// What was stored of the session is damaged, or of a newer version.
    case unreadableState
    /// There is no session of this name.
    case noSuchSession
}

extension SessionError: CustomStringConvertible {
    /// What is wrong, without the session's name.
    public var description: String {
        switch self {
        case .conflictingSessionAlreadyExists: "a session of this name has another batch processor"
        case .startAfterEnd: "the start lies behind the end"
        case .invalidIdentifier: "no name for a session"
        case .differentOptions(let names):
            "a session of this name was asked for other things: different \(names.joined(separator: ", "))"
        case .sourceChanged: "the source has changed since the session was begun"
        case .inUse: "in use by another process"
        case .isRunning: "the session is running, and can be extended when it is paused"
        case .unreadableState: "what is kept of the session is damaged, or of a newer version"
        case .noSuchSession: "no such session"
        }
    }
}
