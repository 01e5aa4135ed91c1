/// The progress of an operation.
public struct VaultProgress: Sendable, Equatable {
    /// What an operation is doing.
    ///
    /// Each phase has its own speed and number of bytes.
    public enum Phase: String, Sendable {
        /// Reads an export or an archive, and writes the output.
        case reading
        /// Writes a document whose order differs from that of the archive.
        case writing
        /// Waits until the drive has stored all data.
        case syncing
        /// Reads a new archive back from the drive.
        case readingBack
        /// Checks the tags of an archive.
        case authenticating
        /// Checks the contents of an archive.
        case checking
        /// Compares an archive with a source.
        case comparing
    }

    /// What the progress counts.
    public enum Unit: Sendable {
        /// Bytes.
        case bytes
        /// Archives.
        case archives
        /// Changes of a target.
        case changes
        /// Parts of the whole, which say nothing by themselves.
        case parts
    }

    /// What the operation is doing.
    public var phase: Phase
    /// The current subject: a sample type, a file.
    public var subject: String
    /// The number of bytes, or of what `unit` says, that the phase has processed.
    public var done: Int
    /// The number that the phase will process; nil if it is known only at the end.
    public var total: Int?
    /// What is counted.
    public var unit: Unit

    /// Makes a progress value; nothing is done by default.
    public init(
        _ phase: Phase = .reading, subject: String = "", done: Int = 0, total: Int? = nil, unit: Unit = .bytes
    ) {
        self.phase = phase
        self.subject = subject
        self.done = done
        self.total = total
        self.unit = unit
    }
}

/// A function that is called often with the progress of an operation, and decides what to show.
public typealias ProgressHandler = @Sendable (VaultProgress) -> Void
