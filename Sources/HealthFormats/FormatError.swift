import JSONText

/// A file that is not in the format that it should be in.
public struct FormatError: Error, Equatable, Sendable {
    /// The kinds of failure.
    public enum Code: Sendable, Equatable {
        /// The text is not the JSON that the format asks for.
        case malformed
        /// The format is of a version that this program does not know.
        case unsupportedVersion
        /// Numbers in the file contradict each other.
        case inconsistent
        /// As NDJSON the rows would be more than this program ever writes in a batch.
        case tooLarge
    }

    /// What is wrong.
    public let code: Code
    /// Where, in bytes from the start of the text.
    public let offset: Int

    /// Makes an error.
    public init(_ code: Code, at offset: Int = 0) {
        self.code = code
        self.offset = offset
    }

    init(_ error: JSONError) { self.init(.malformed, at: error.offset) }
}

extension FormatError: CustomStringConvertible {
    /// What is wrong, and at which byte.
    public var description: String {
        switch code {
        case .malformed: "byte \(offset): not the JSON that the format asks for"
        case .unsupportedVersion: "of a version of the format that this program does not know"
        case .inconsistent: "byte \(offset): numbers in the file contradict each other"
        case .tooLarge: "more rows than this program writes in a batch"
        }
    }
}
