package import ByteText

/// The exit status of the program.
package enum ExitStatus: Int32 {
    /// It succeeded.
    case done = 0
    /// It failed for a reason other than those below.
    case failed = 1
    /// The command line is invalid.
    case usage = 2
    /// It completed, but reported that something was left out or is wrong.
    case incomplete = 3
    /// There is no such source or archive.
    case notFound = 10
    /// Another process is using it.
    case inUse = 11
    /// The passphrase is wrong.
    case wrongPassphrase = 12
    /// The data is damaged or truncated, or was tampered with.
    case damaged = 13
    /// It is not a container or source that this version can read.
    case unsupported = 14
    /// The disk is full.
    case noSpace = 15
    /// The target exists.
    case targetExists = 16
    /// The drive is not connected, or the server cannot be reached; the same command works once it is.
    case tryLater = 75
    /// It was interrupted (Ctrl-C), and reported how to continue.
    case interrupted = 130
    /// It was interrupted because its terminal was closed.
    case hungUp = 129
    /// It was interrupted by `SIGTERM`.
    case terminated = 143

    /// The name of the status in JSON.
    package var code: String {
        switch self {
        case .done: "done"
        case .failed: "failed"
        case .incomplete: "incomplete"
        case .usage: "usage"
        case .notFound: "notFound"
        case .inUse: "inUse"
        case .wrongPassphrase: "wrongPassphrase"
        case .damaged: "damaged"
        case .unsupported: "unsupported"
        case .noSpace: "noSpace"
        case .targetExists: "targetExists"
        case .tryLater: "tryLater"
        case .interrupted, .hungUp, .terminated: "interrupted"
        }
    }

    /// Returns the status for what an error means.
    package init(_ kind: ErrorKind) {
        self =
            switch kind {
            case .failed: .failed
            case .usage, .refused: .usage
            case .notFound: .notFound
            case .inUse: .inUse
            case .wrongPassphrase: .wrongPassphrase
            case .damaged: .damaged
            case .unsupported: .unsupported
            case .noSpace: .noSpace
            case .targetExists: .targetExists
            case .tryLater: .tryLater
            case .interrupted: .interrupted
            }
    }
}
