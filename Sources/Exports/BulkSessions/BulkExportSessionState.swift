public import ByteText

/// The state of a session.
public enum BulkExportSessionState: String, Sendable, Equatable {
    /// The session is waiting to be started: it is new, was paused, or ended with an error.
    case paused
    /// The session is running.
    case running
    /// All batches were processed.
    case completed
    /// All batches were tried, and some failed.
    case completedWithFailures
    /// The session was deleted and can no longer be started.
    case terminated
}

/// An error thrown when a session cannot be started.
public enum StartSessionError: ClassifiedError, Sendable, Equatable {
    /// The session is already running, or types are being added to it.
    case alreadyRunning
    /// The session was deleted.
    case isTerminated
}

extension StartSessionError: CustomStringConvertible {
    /// What it means.
    public var kind: ErrorKind { self == .alreadyRunning ? .inUse : .notFound }

    /// The reason why the session cannot be started.
    public var description: String {
        switch self {
        case .alreadyRunning: "the session is running already, or types are being added to it"
        case .isTerminated: "the session was deleted"
        }
    }
}
