import SystemIO

/// A secret of fixed length in locked memory, wiped when it goes out of scope.
///
/// It cannot be copied, printed or compared with `==`; use `equals(_:)`, whose time does not depend on the content.
public struct SecretBytes: ~Copyable, Sendable {
    private var pages: LockedPages
    /// Length in bytes.
    public let count: Int

    /// Creates a secret of `count` zero bytes.
    public init(zeroes count: Int) throws(CryptoError) {
        do { pages = try LockedPages(count: count) } catch { throw CryptoError(.outOfMemory) }
        self.count = count
    }

    /// Creates a secret by copying bytes; the caller wipes its own copy.
    public init(copying bytes: Span<UInt8>) throws(CryptoError) {
        try self.init(zeroes: bytes.count)
        pages.withMutableSpan { span in
            for index in bytes.indices { span[index] = bytes[index] }
        }
    }

    /// Calls `body` with the bytes, for reading.
    public func withSpan<Result: ~Copyable, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try pages.withSpan(body)
    }

    /// Calls `body` with the bytes, for changing them.
    public mutating func withMutableSpan<Result: ~Copyable, Failure: Error>(
        _ body: (inout MutableSpan<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try pages.withMutableSpan(body)
    }

    /// Returns a copy of a part of the secret, as a new secret.
    public func part(_ range: Range<Int>) throws(CryptoError) -> SecretBytes {
        try withSpan { span throws(CryptoError) in try SecretBytes(copying: span.extracting(range)) }
    }

    /// Whether both are equal, compared in constant time.
    public func equals(_ other: borrowing SecretBytes) -> Bool {
        withSpan { mine in other.withSpan { constantTimeEqual(mine, $0) } }
    }
}
