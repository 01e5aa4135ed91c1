/// The progress of an operation.
public struct VaultProgress: Sendable, Equatable {
    /// The current subject: a sample type, a file.
    public var subject = ""
    /// The number of bytes of the source that were read.
    public var done = 0
    /// The total number of bytes; nil if it is known only at the end.
    public var total: Int?

    /// Makes a progress value; nothing is done by default.
    public init(subject: String = "", done: Int = 0, total: Int? = nil) {
        self.subject = subject
        self.done = done
        self.total = total
    }
}

/// A function that is called often with the progress of an operation, and decides itself what to show.
public typealias ProgressHandler = @Sendable (VaultProgress) -> Void
