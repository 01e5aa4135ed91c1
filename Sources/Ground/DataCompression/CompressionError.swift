public import ByteText

/// An error while compressing or decompressing.
public struct CompressionError: ClassifiedError, Equatable, Sendable {
    /// The kinds of failure.
    public enum Code: Sendable, Equatable {
        /// The data is damaged or of another format.
        case damaged
        /// The data would be larger than the caller accepts.
        case tooLarge
        /// There is no memory.
        case outOfMemory
    }

    /// What went wrong.
    public let code: Code

    /// Creates an error.
    public init(_ code: Code) { self.code = code }
}

extension CompressionError: CustomStringConvertible {
    /// What it means.
    public var kind: ErrorKind { code == .outOfMemory ? .failed : .damaged }

    /// What went wrong.
    public var description: String {
        switch code {
        case .damaged: "compressed data is damaged, or in another format"
        case .tooLarge: "compressed data is larger than was expected"
        case .outOfMemory: "there is no memory to compress with"
        }
    }
}
