import ByteSpans

/// SipHash-2-4 with 128 bits of output (Aumasson and Bernstein, 2012) under a key that is not secret.
///
/// It is a checksum for telling records apart. It provides neither secrecy nor protection against forgery, which is the
/// container's task. OpenSSL has the same function, but one call takes ten times as long as hashing a record; the tests
/// compare the two.
public struct SipHash128: Sendable {
    private var v0: UInt64
    private var v1: UInt64
    private var v2: UInt64
    private var v3: UInt64
    private var pending: UInt64 = 0
    private var count: UInt64 = 0

    /// The key of record identities: the ASCII text "healthvault/v1 i", as two little-endian words.
    public static let identityKey: (UInt64, UInt64) = (0x6176_6874_6c61_6568, 0x6920_3176_2f74_6c75)

    /// Starts with a key.
    public init(key: (UInt64, UInt64) = identityKey) {
        v0 = key.0 ^ 0x736f_6d65_7073_6575
        v1 = key.1 ^ 0x646f_7261_6e64_6f6d ^ 0xee
        v2 = key.0 ^ 0x6c79_6765_6e65_7261
        v3 = key.1 ^ 0x7465_6462_7974_6573
    }

    @inline(__always)
    private mutating func round() {
        v0 &+= v1
        v1 = v1 << 13 | v1 >> 51
        v1 ^= v0
        v0 = v0 << 32 | v0 >> 32
        v2 &+= v3
        v3 = v3 << 16 | v3 >> 48
        v3 ^= v2
        v0 &+= v3
        v3 = v3 << 21 | v3 >> 43
        v3 ^= v0
        v2 &+= v1
        v1 = v1 << 17 | v1 >> 47
        v1 ^= v2
        v2 = v2 << 32 | v2 >> 32
    }

    @inline(__always)
    private mutating func compress(_ word: UInt64) {
        v3 ^= word
        round()
        round()
        v0 ^= word
    }

    /// Adds eight bytes, the lowest first.
    @inline(__always)
    public mutating func update(_ word: UInt64) {
        let used = (count & 7) * 8
        count &+= 8
        if used == 0 {
            compress(word)
        } else {
            compress(pending | word << used)
            pending = word >> (64 - used)
        }
    }

    /// Adds sixteen bytes, the lowest first.
    @inline(__always)
    public mutating func update(_ value: UInt128) {
        update(UInt64(truncatingIfNeeded: value))
        update(UInt64(truncatingIfNeeded: value >> 64))
    }

    /// Adds one byte.
    @inline(__always)
    public mutating func update(_ byte: UInt8) {
        pending |= UInt64(byte) << ((count & 7) * 8)
        count &+= 1
        if count & 7 == 0 {
            compress(pending)
            pending = 0
        }
    }

    /// Adds bytes.
    @inline(__always)
    public mutating func update(_ bytes: Span<UInt8>) {
        var index = 0
        while index + 8 <= bytes.count {
            update(bytes.word(at: index))
            index += 8
        }
        let rest = bytes.count - index
        guard rest > 0 else { return }
        let word = bytes.partialWord(at: index, count: rest)
        let used = count & 7
        count &+= UInt64(rest)
        pending |= word << (8 * used)
        guard used + UInt64(rest) >= 8 else { return }
        compress(pending)
        // A shift by the full width yields 0.
        pending = word >> (64 - 8 * used)
    }

    /// Returns the hash as a number whose lowest byte is the first of the standard's output.
    @inline(__always)
    public consuming func finish() -> UInt128 {
        compress(pending | count << 56)
        v2 ^= 0xee
        round()
        round()
        round()
        round()
        let low = v0 ^ v1 ^ v2 ^ v3
        v1 ^= 0xdd
        round()
        round()
        round()
        round()
        return UInt128(v0 ^ v1 ^ v2 ^ v3) << 64 | UInt128(low)
    }
}

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
