public import ByteText

/// An error thrown when a store does not have what it was asked for.
public struct HealthStoreError: ClassifiedError, Sendable, Equatable {
    /// The reasons.
    public enum Code: Sendable, Equatable {
        /// The store does not have the file.
        case noSuchFile
        /// The file is longer than ``StoreFile/largest``.
        case largeFile
        /// A filter needs the bundle identifiers of sources, which an export does not have.
        case missingBundleIdentifier
    }

    /// The reason.
    public let code: Code

    /// Creates the error.
    public init(_ code: Code) { self.code = code }
}

extension HealthStoreError: CustomStringConvertible {
    /// What it means.
    public var kind: ErrorKind {
        switch code {
        case .noSuchFile: .notFound
        case .largeFile: .unsupported
        case .missingBundleIdentifier: .usage
        }
    }

    /// What happened, in a printable line.
    public var description: String {
        switch code {
        case .noSuchFile: "the store has no such file"
        case .largeFile: "the file is too large to be read as a whole; it was not read"
        case .missingBundleIdentifier: "a source of an export has no bundle identifier to filter by"
        }
    }
}
