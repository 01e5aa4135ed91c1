/// What the shell is told.
enum ExitStatus: Int32 {
    /// Everything was done.
    case done = 0
    /// It failed for another reason than those below.
    case failed = 1
    /// The command line makes no sense.
    case usage = 2
    /// It was done, but something was left out or is wrong, and it was said what.
    case incomplete = 3
    /// There is no such source or archive.
    case notFound = 10
    /// Another process is at it.
    case inUse = 11
    /// The passphrase is wrong.
    case wrongPassphrase = 12
    /// The data is damaged, cut off, or was tampered with.
    case damaged = 13
    /// It is no container or source that this version reads.
    case unsupported = 14
    /// The disk is full.
    case noSpace = 15
    /// The target exists.
    case targetExists = 16
    /// It was interrupted (Ctrl-C), and said how to go on.
    case interrupted = 130
    /// The same by the end of its terminal.
    case hungUp = 129
    /// The same by the signal that asks processes to end.
    case terminated = 143
}
