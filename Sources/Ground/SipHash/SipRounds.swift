/// The state of a SipHash-2-4-128 between two words of a message.
@usableFromInline
struct SipRounds: Sendable {
    @usableFromInline var v0: UInt64
    @usableFromInline var v1: UInt64
    @usableFromInline var v2: UInt64
    @usableFromInline var v3: UInt64

    /// Starts with a key.
    @inlinable
    init(key: (UInt64, UInt64)) {
        v0 = key.0 ^ 0x736f_6d65_7073_6575
        v1 = key.1 ^ 0x646f_7261_6e64_6f6d ^ 0xee
        v2 = key.0 ^ 0x6c79_6765_6e65_7261
        v3 = key.1 ^ 0x7465_6462_7974_6573
    }

    @inlinable
    @inline(__always)
    mutating func round() {
        v0 &+= v1
        v1 = Self.rotated(v1, by: 13)
        v1 ^= v0
        v0 = Self.rotated(v0, by: 32)
        v2 &+= v3
        v3 = Self.rotated(v3, by: 16)
        v3 ^= v2
        v0 &+= v3
        v3 = Self.rotated(v3, by: 21)
        v3 ^= v0
        v2 &+= v1
        v1 = Self.rotated(v1, by: 17)
        v1 ^= v2
        v2 = Self.rotated(v2, by: 32)
    }

    @inlinable
    @inline(__always)
    static func rotated(_ word: UInt64, by count: UInt64) -> UInt64 {
        word &<< count | word &>> (64 &- count)
    }

    /// Adds a word of the message.
    @inlinable
    @inline(__always)
    mutating func compress(_ word: UInt64) {
        v3 ^= word
        round()
        round()
        v0 ^= word
    }

    /// Returns the low and the high half of the hash, after the last word with the length in its highest byte.
    @inlinable
    @inline(__always)
    consuming func finish() -> (low: UInt64, high: UInt64) {
        v2 ^= 0xee
        for _ in 0..<4 { round() }
        let low = v0 ^ v1 ^ v2 ^ v3
        v1 ^= 0xdd
        for _ in 0..<4 { round() }
        return (low, v0 ^ v1 ^ v2 ^ v3)
    }
}
