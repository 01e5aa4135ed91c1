public import ByteText

/// An error of the crypto module.
public struct CryptoError: ClassifiedError, Equatable, Sendable {
    /// The kinds of failure.
    public enum Code: Sendable, Equatable {
        /// A tag did not match; there is deliberately no further detail.
        case authenticationFailed
        /// A key, nonce or length has a size that the algorithm does not accept.
        case invalidSize
        /// OpenSSL refused the operation or does not support it.
        case unavailable
        /// There is no memory for a secret.
        case outOfMemory
    }

    /// What went wrong.
    public let code: Code

    /// Creates an error.
    public init(_ code: Code) { self.code = code }
}

extension CryptoError: CustomStringConvertible {
    /// What it means.
    public var kind: ErrorKind { code == .authenticationFailed ? .damaged : .failed }

    /// What went wrong.
    public var description: String {
        switch code {
        case .authenticationFailed: "authentication failed"
        case .invalidSize: "a key, nonce or length of the wrong size"
        case .unavailable: "OpenSSL failed"
        case .outOfMemory: "there is no memory for a secret"
        }
    }
}
