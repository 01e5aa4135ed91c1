/// The state of a session.
public enum BulkExportSessionState: String, Sendable, Equatable {
    /// It waits to be started: it is new, was paused, or was ended by an error.
    case paused
    /// It is running.
    case running
    /// All batches were processed.
    case completed
    /// All batches were tried, and some of them failed.
    case completedWithFailures
    /// It was deleted, and can no longer be started.
    case terminated
}

/// An error thrown when a session does not start.
public enum StartSessionError: Error, Sendable, Equatable {
    /// It is running already, or types are being added to it.
    case alreadyRunning
    /// It was deleted.
    case isTerminated
}

extension StartSessionError: CustomStringConvertible {
    /// Why the session does not start.
    public var description: String {
        switch self {
        case .alreadyRunning: "the session is running already, or types are being added to it"
        case .isTerminated: "the session was deleted"
        }
    }
}
