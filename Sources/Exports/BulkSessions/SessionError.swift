public import ByteText

/// An error thrown when a session cannot be created or restored.
public enum SessionError: ClassifiedError, Sendable, Equatable {
    /// A session of this name exists, with a batch processor of another type or name.
    case conflictingSessionAlreadyExists
    /// The start is later than the end.
    case startAfterEnd
    /// The name cannot be the name of a file.
    case invalidIdentifier
    /// A session of this name exists with different options, whose names are listed.
    ///
    /// Only sample types can be added to a session.
    case differentOptions([String])
    /// The store no longer contains what it contained when the session was created.
    case sourceChanged
    /// Another process is using the session.
    case inUse
    /// A running session cannot be extended; a paused one can.
    case isRunning
    /// The stored state of the session is damaged, or was written by a newer version.
    case unreadableState
    /// There is no session of this name.
    case noSuchSession
}

extension SessionError: CustomStringConvertible {
    /// What it means.
    public var kind: ErrorKind {
        switch self {
        case .conflictingSessionAlreadyExists, .startAfterEnd, .invalidIdentifier, .differentOptions: .usage
        case .sourceChanged: .failed
        case .inUse, .isRunning: .inUse
        case .unreadableState: .damaged
        case .noSuchSession: .notFound
        }
    }

    /// What is wrong, without the session's name.
    public var description: String {
        switch self {
        case .conflictingSessionAlreadyExists: "a session with this name uses another batch processor"
        case .startAfterEnd: "the start is after the end"
        case .invalidIdentifier: "not a valid session name"
        case .differentOptions(let names):
            "a session with this name exists with different \(names.joined(separator: ", "))"
        case .sourceChanged: "the source has changed since the session began"
        case .inUse: "in use by another process"
        case .isRunning: "the session is running; pause it to extend it"
        case .unreadableState: "the session's record is damaged or was written by a newer version"
        case .noSuchSession: "no such session"
        }
    }
}
