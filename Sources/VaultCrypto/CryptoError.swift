/// What can go wrong in the crypto module.
public struct CryptoError: Error, Equatable, Sendable {
    /// The kinds of failure.
    public enum Code: Sendable, Equatable {
        /// A tag did not match. Nothing more is told.
        case authenticationFailed
        /// A key, nonce or length of a size that the algorithm does not take.
        case invalidSize
        /// OpenSSL refused or is not able to do it.
        case unavailable
        /// There is no memory for a secret.
        case outOfMemory
    }

    /// What went wrong.
    public let code: Code

    /// Makes an error.
    public init(_ code: Code) { self.code = code }
}
