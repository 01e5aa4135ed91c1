/// A hash by which bytes are looked up, sixteen of them at a time, under a key that each process chooses anew.
///
/// Whoever finds bytes by it compares them as well. The product of two words in full width, of which both halves count, mixes
/// as well as many shifts do; the words are first combined with the key, which no document knows.
public enum LookupHash: Sendable {
    private static let key = (UInt64.random(in: .min ... .max), UInt64.random(in: .min ... .max))

    /// Returns the hash of bytes.
    public static func hash(_ bytes: Span<UInt8>) -> UInt64 {
        let key = key
        var hash = key.1
        var index = 0
        while index + 16 <= bytes.count {
            hash = mixed(bytes.word(at: index) ^ key.0, bytes.word(at: index + 8) ^ hash)
            index += 16
        }
        if index + 8 <= bytes.count {
            hash = mixed(bytes.word(at: index) ^ key.0, hash)
            index += 8
        }
        let rest = bytes.count - index
        if rest > 0 { hash = mixed(bytes.partialWord(at: index, count: rest) ^ key.0, hash) }
        return mixed(hash ^ key.0, key.1 ^ UInt64(bytes.count))
    }

    @inline(__always)
    private static func mixed(_ first: UInt64, _ second: UInt64) -> UInt64 {
        let (high, low) = first.multipliedFullWidth(by: second)
        return high ^ low
    }
}
