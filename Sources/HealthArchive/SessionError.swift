/// Why a session cannot be created or restored.
public enum SessionError: Error, Sendable, Equatable {
    /// A session of this name exists, with a batch processor of another type.
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
