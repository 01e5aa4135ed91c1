/// A text that is not the expected JSON.
public struct JSONError: ClassifiedError, Equatable, Sendable {
    /// The kinds of failure.
    public enum Code: Sendable, Equatable {
        /// The text is not JSON by RFC 8259.
        case malformed
        /// The text is JSON, but another kind of value was expected here.
        case unexpected
        /// A number does not fit a 64-bit integer.
        case outOfRange
        /// Values are nested deeper than the reader accepts.
        case tooDeep
    }

    /// What is wrong.
    public let code: Code
    /// Where it is wrong, in bytes from the start of the text.
    public let offset: Int

    /// Creates an error.
    public init(_ code: Code, at offset: Int) {
        self.code = code
        self.offset = offset
    }
}

extension JSONError: CustomStringConvertible {
    /// What it means.
    public var kind: ErrorKind { .damaged }

    /// What is wrong, and at which byte.
    public var description: String {
        switch code {
        case .malformed: "byte \(offset): not JSON"
        case .unexpected: "byte \(offset): another kind of value was expected"
        case .outOfRange: "byte \(offset): a number does not fit 64 bits"
        case .tooDeep: "byte \(offset): values are nested too deep"
        }
    }
}
