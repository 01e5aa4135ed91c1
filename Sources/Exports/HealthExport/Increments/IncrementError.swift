public import ByteText
public import HealthArchive
public import SystemIO

/// The reason why an export cannot follow an archive of earlier ones.
public struct IncrementError: Sendable, Equatable {
    /// The doubt.
    public let doubt: SubjectDoubt
    /// The path of the source.
    public let path: BytePath

    /// Makes an error.
    package init(_ doubt: SubjectDoubt, path: BytePath) {
        self.doubt = doubt
        self.path = path
    }
}

extension IncrementError: CustomStringConvertible {
    /// What happened, and with which source, in a line that can be printed.
    public var description: String { "\(path): \(doubt)" }
}

extension IncrementError: DoubtfulError {
    /// What it means.
    public var kind: ErrorKind { doubt.kind }

    /// The doubt.
    public var subjectDoubt: SubjectDoubt? { doubt }
}
