public import ByteText

/// An error thrown when a file does not have the expected format.
public struct FormatError: ClassifiedError, Equatable, Sendable {
    /// The kinds of failure.
    public enum Code: Sendable, Equatable {
        /// The text is not what the format requires.
        case malformed
        /// The version of the format is not supported.
        case unsupportedVersion
        /// Numbers in the file contradict each other.
        case inconsistent
        /// The text, or its rows written as NDJSON, exceeds the largest batch that this program writes.
        case tooLarge
    }

    /// The kind of failure.
    public let code: Code
    /// The offset of the failure, in bytes from the start of the text.
    public let offset: Int

    /// Makes an error.
    public init(_ code: Code, at offset: Int = 0) {
        self.code = code
        self.offset = offset
    }

    init(_ error: JSONError) { self.init(.malformed, at: error.offset) }
}

extension FormatError: CustomStringConvertible {
    /// What it means.
    public var kind: ErrorKind { code == .unsupportedVersion ? .unsupported : .damaged }

    /// A description of the failure, with its offset where that is known.
    public var description: String {
        switch code {
        case .malformed: "byte \(offset): not in the expected format"
        case .unsupportedVersion: "unsupported format version"
        case .inconsistent: "byte \(offset): numbers in the file contradict each other"
        case .tooLarge: "more rows than this program writes in a batch"
        }
    }
}
