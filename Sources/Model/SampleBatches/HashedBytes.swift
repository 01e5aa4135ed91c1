import ByteText

/// Bytes as a dictionary key.
///
/// The standard library hashes an array byte by byte; this type hashes several words at a time, once.
public struct HashedBytes: Hashable, Sendable {
    /// The bytes.
    public let bytes: [UInt8]
    /// The hash of the bytes, see `LookupHash`.
    private let digest: UInt64

    /// Hashes bytes.
    public init(_ bytes: [UInt8]) { self.init(bytes, digest: LookupHash.hash(bytes.span)) }

    /// Takes bytes whose hash is known, from `LookupHash`.
    package init(_ bytes: [UInt8], digest: UInt64) {
        self.bytes = bytes
        self.digest = digest
    }

    /// Feeds the hash of the bytes to a hasher.
    public func hash(into hasher: inout Hasher) { hasher.combine(digest) }

    /// Compares the bytes.
    public static func == (left: HashedBytes, right: HashedBytes) -> Bool {
        left.digest == right.digest && left.bytes == right.bytes
    }
}
