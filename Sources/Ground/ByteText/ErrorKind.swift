/// What an error means to somebody who has to act on it, whatever went wrong in detail.
///
/// The command has an exit status for each.
public enum ErrorKind: String, Sendable, CaseIterable {
    /// It failed for a reason other than those below.
    case failed
    /// What was asked for cannot be done, and has to be said differently.
    case usage
    /// It was refused in order to protect the data that is there; it has to be confirmed.
    case refused
    /// There is no such source, archive, or part of one.
    case notFound
    /// Another process is using it.
    case inUse
    /// The passphrase or key is wrong or missing.
    case wrongPassphrase
    /// The data is damaged or truncated, or was tampered with.
    case damaged
    /// It is not something that this version can read or write.
    case unsupported
    /// There is no space left.
    case noSpace
    /// What is to be written exists.
    case targetExists
    /// A drive is not connected, or a server cannot be reached; the same works once it is.
    case tryLater
    /// It was interrupted.
    case interrupted

    /// Returns the kind of an error; `failed` for an error that has none, such as one of the language.
    public init(_ error: any Error) { self = (error as? any ClassifiedError)?.kind ?? .failed }

    /// What went wrong, for permanent records: contains nothing that was read or written.
    public var reason: String {
        switch self {
        case .failed, .usage, .interrupted: "failed"
        case .refused: "refused"
        case .notFound: "not found"
        case .inUse: "in use by another process"
        case .wrongPassphrase: "wrong passphrase"
        case .damaged: "damaged data"
        case .unsupported: "not supported"
        case .noSpace: "no space left"
        case .targetExists: "the name is taken"
        case .tryLater: "not connected"
        }
    }
}

/// An error that knows what it means.
///
/// Every public error is one, so that no caller needs to know all of them.
public protocol ClassifiedError: Error {
    /// What it means.
    var kind: ErrorKind { get }
}
