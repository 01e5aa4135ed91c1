/// The rounds of SipHash-2-4-128, for one message or for several of the same length side by side.
struct SipRounds<Lanes: SipLanes>: Sendable {
    private var v0: Lanes
    private var v1: Lanes
    private var v2: Lanes
    private var v3: Lanes

    @inline(__always)
    private mutating func round() {
        v0 &+= v1
        v1 = v1.rotated(by: 13)
        v1 ^= v0
        v0 = v0.rotated(by: 32)
        v2 &+= v3
        v3 = v3.rotated(by: 16)
        v3 ^= v2
        v0 &+= v3
        v3 = v3.rotated(by: 21)
        v3 ^= v0
        v2 &+= v1
        v1 = v1.rotated(by: 17)
        v1 ^= v2
        v2 = v2.rotated(by: 32)
    }

    /// Adds a word of each message.
    @inline(__always)
    mutating func compress(_ word: Lanes) {
        v3 ^= word
        round()
        round()
        v0 ^= word
    }

    /// Returns the low and the high halves of the hashes, after the last word with the length in its highest byte.
    @inline(__always)
    consuming func finish() -> (low: Lanes, high: Lanes) {
        v2 ^= Lanes(word: 0xee)
        for _ in 0..<4 { round() }
        let low = v0 ^ v1 ^ v2 ^ v3
        v1 ^= Lanes(word: 0xdd)
        for _ in 0..<4 { round() }
        return (low, v0 ^ v1 ^ v2 ^ v3)
    }
}

extension SipRounds<UInt64> {
    /// Starts with a key.
    init(key: (UInt64, UInt64)) {
        v0 = key.0 ^ 0x736f_6d65_7073_6575
        v1 = key.1 ^ 0x646f_7261_6e64_6f6d ^ 0xee
        v2 = key.0 ^ 0x6c79_6765_6e65_7261
        v3 = key.1 ^ 0x7465_6462_7974_6573
    }
}

/// Words of messages that are hashed side by side.
protocol SipLanes: Sendable {
    /// The same word in each lane.
    init(word: UInt64)
    static func &+= (left: inout Self, right: Self)
    static func ^= (left: inout Self, right: Self)
    static func ^ (left: Self, right: Self) -> Self
    /// Returns the words rotated towards their highest bits.
    func rotated(by count: UInt64) -> Self
}

extension SipRounds<WordPair> {
    /// Continues two messages.
    @inline(__always)
    init(_ first: SipRounds<UInt64>, _ second: SipRounds<UInt64>) {
        v0 = WordPair(first.v0, second.v0)
        v1 = WordPair(first.v1, second.v1)
        v2 = WordPair(first.v2, second.v2)
        v3 = WordPair(first.v3, second.v3)
    }
}

extension UInt64: SipLanes {
    @inline(__always)
    init(word: UInt64) { self = word }

    @inline(__always)
    func rotated(by count: UInt64) -> UInt64 { self &<< count | self &>> (64 &- count) }
}

/// A word of each of two messages.
///
/// Not a vector: without instructions for rotating its elements, they would be moved to and fro.
struct WordPair: SipLanes {
    var first: UInt64
    var second: UInt64

    @inline(__always)
    init(_ first: UInt64, _ second: UInt64) {
        self.first = first
        self.second = second
    }

    @inline(__always)
    init(word: UInt64) { self.init(word, word) }

    @inline(__always)
    static func &+= (left: inout Self, right: Self) {
        left.first &+= right.first
        left.second &+= right.second
    }

    @inline(__always)
    static func ^= (left: inout Self, right: Self) {
        left.first ^= right.first
        left.second ^= right.second
    }

    @inline(__always)
    static func ^ (left: Self, right: Self) -> Self {
        WordPair(left.first ^ right.first, left.second ^ right.second)
    }

    @inline(__always)
    func rotated(by count: UInt64) -> Self {
        WordPair(first.rotated(by: count), second.rotated(by: count))
    }
}
