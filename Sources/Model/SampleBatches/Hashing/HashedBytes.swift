/// Bytes as a dictionary key.
///
/// The standard library hashes an array byte by byte; this type hashes a word at a time.
public struct HashedBytes: Hashable, Sendable {
    /// The bytes.
    public let bytes: [UInt8]
    private let digest: UInt64

    /// Hashes bytes.
    public init(_ bytes: [UInt8]) {
        self.bytes = bytes
        var hash = SipHash128()
        hash.update(bytes.span)
        digest = UInt64(truncatingIfNeeded: hash.finish())
    }

    /// Feeds the hash of the bytes to a hasher.
    public func hash(into hasher: inout Hasher) { hasher.combine(digest) }

    /// Compares the bytes.
    public static func == (left: HashedBytes, right: HashedBytes) -> Bool {
        left.digest == right.digest && left.bytes == right.bytes
    }
}
