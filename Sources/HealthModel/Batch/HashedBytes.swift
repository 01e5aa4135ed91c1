/// Bytes as the key of a dictionary: the standard library hashes an array byte by byte, this a word at a time.
struct HashedBytes: Hashable, Sendable {
    private let bytes: [UInt8]
    private let digest: UInt64

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        var hash = SipHash128()
        hash.update(bytes.span)
        digest = UInt64(truncatingIfNeeded: hash.finish())
    }

    func hash(into hasher: inout Hasher) { hasher.combine(digest) }

    static func == (left: HashedBytes, right: HashedBytes) -> Bool {
        left.digest == right.digest && left.bytes == right.bytes
    }
}
