/// How far an operation is.
public struct VaultProgress: Sendable, Equatable {
    /// What is being done at the moment: a sample type, a file.
    public var subject = ""
    /// Bytes of the source that were read.
    public var done = 0
    /// Bytes that there are in all, nil where only the end will tell.
    public var total: Int?

    /// A state; nothing done by default.
    public init(subject: String = "", done: Int = 0, total: Int? = nil) {
        self.subject = subject
        self.done = done
        self.total = total
    }
}

/// Is told how far an operation is, often; it decides itself what to show.
public typealias ProgressHandler = @Sendable (VaultProgress) -> Void
