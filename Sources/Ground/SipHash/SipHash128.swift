public import ByteText

/// SipHash-2-4 with 128 bits of output (Aumasson and Bernstein, 2012) under a key that is not secret.
///
/// It is a checksum for telling records apart. It provides neither secrecy nor protection against forgery, which is the
/// container's task. OpenSSL has the same function, but one call takes ten times as long as hashing a record; the tests
/// compare the two.
public struct SipHash128: Sendable {
    /// What was added in whole words.
    @usableFromInline var rounds: SipRounds
    @usableFromInline var pending: UInt64 = 0
    /// Number of bytes that were added, modulo 2^64.
    @usableFromInline var count: UInt64 = 0

    /// The key of record identities: the ASCII text "healthvault/v1 i", as two little-endian words.
    public static let identityKey: (UInt64, UInt64) = (0x6176_6874_6c61_6568, 0x6920_3176_2f74_6c75)

    /// Starts with a key.
    @inlinable
    public init(key: (UInt64, UInt64) = identityKey) { rounds = SipRounds(key: key) }

    /// Adds eight bytes, the lowest first.
    @inlinable
    @inline(__always)
    public mutating func update(_ word: UInt64) {
        let used = (count & 7) * 8
        count &+= 8
        if used == 0 {
            rounds.compress(word)
        } else {
            rounds.compress(pending | word << used)
            pending = word >> (64 - used)
        }
    }

    /// Adds sixteen bytes, the lowest first.
    @inlinable
    @inline(__always)
    public mutating func update(_ value: UInt128) {
        update(UInt64(truncatingIfNeeded: value))
        update(UInt64(truncatingIfNeeded: value >> 64))
    }

    /// Adds one byte.
    @inlinable
    @inline(__always)
    public mutating func update(_ byte: UInt8) {
        pending |= UInt64(byte) << ((count & 7) * 8)
        count &+= 1
        if count & 7 == 0 {
            rounds.compress(pending)
            pending = 0
        }
    }

    /// Adds bytes.
    @inlinable
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
        rounds.compress(pending)
        // A shift by the full width yields 0.
        pending = word >> (64 - 8 * used)
    }

    /// Returns the hash as a number whose lowest byte is the first of the standard's output.
    @inlinable
    @inline(__always)
    public consuming func finish() -> UInt128 {
        rounds.compress(pending | count << 56)
        let (low, high) = rounds.finish()
        return UInt128(high) << 64 | UInt128(low)
    }
}
