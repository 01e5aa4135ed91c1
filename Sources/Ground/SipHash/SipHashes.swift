import CSipHash

/// SipHash-2-4-128 of many messages side by side, which takes a third of the time that they take one by one where the processor
/// has wide vectors, and a little less elsewhere.
///
/// Each step of a hash waits for the one before it; those of eight messages, in the lanes of a vector, do not wait for each
/// other. In C, because the compiler of Swift has no way to say that a function may use instructions that not all processors
/// have. Tests compare all variants with ``SipHash128``.
public enum SipHashes: Sendable {
    /// What messages start with: whole words.
    public struct Starts: Sendable {
        fileprivate var states: [healthvault_sip_state] = []
        /// Number of bytes of each start, which is the same for all.
        fileprivate var length: UInt64 = 0

        /// Creates an empty list.
        public init() {}

        /// Appends a start.
        public mutating func append(_ start: SipHash128) {
            precondition(start.count & 7 == 0, "whole words")
            precondition(states.isEmpty || start.count == length, "starts are of the same length")
            length = start.count
            let rounds = start.rounds
            states.append(
                healthvault_sip_state(v0: rounds.v0, v1: rounds.v1, v2: rounds.v2, v3: rounds.v3))
        }

        /// Removes all.
        public mutating func removeAll() { states.removeAll(keepingCapacity: true) }
    }

    /// How the messages are hashed: from the instructions that all processors have to the widest of this one.
    package static let variants: [UInt32] = Array(0...widest.rawValue)
    private static let widest = healthvault_sip_widest()

    /// Returns the sum of the hashes of messages, modulo 2^128.
    ///
    /// - Parameters:
    ///   - words: The first words of all messages after their starts, then the second words, and so on. The last word of each
    ///     has its last bytes, at most seven; the lowest is the first. It is completed here.
    ///   - lengths: Number of bytes of each message after its start; becomes the number of its words before the last.
    ///   - places: For each message, the place of its start in the list.
    ///   - starts: What the messages start with.
    public static func sum(
        _ words: inout [UInt64], lengths: inout [Int], places: Span<Int>, starts: Starts
    ) -> UInt128 {
        sum(&words, lengths: &lengths, places: places, starts: starts, variant: widest.rawValue)
    }

    /// The same in one of the ``variants``.
    package static func sum(
        _ words: inout [UInt64], lengths: inout [Int], places: Span<Int>, starts: Starts, variant: UInt32
    ) -> UInt128 {
        let count = places.count
        precondition(count <= lengths.count, "a length for each message")
        precondition(variant <= widest.rawValue, "a variant that the processor has")
        let most = complete(&words, &lengths, places, starts)
        // Of the shorter ones as many words are read as of the longest, and ignored.
        precondition(words.count >= (most + 1) * count, "all words of all messages")
        return add(words.span, lengths.span, places, starts.states.span, healthvault_sip_variant(variant))
    }

    /// Writes the length of each message into its last word; `lengths` becomes the number of words before that.
    ///
    /// - Returns: The number of words before the last one of the longest message.
    private static func complete(
        _ words: inout [UInt64], _ lengths: inout [Int], _ places: Span<Int>, _ starts: Starts
    ) -> Int {
        var words = words.mutableSpan
        var lengths = lengths.mutableSpan
        let (count, startCount) = (places.count, UInt(starts.states.count))
        var most = 0
        for row in 0..<count {
            precondition(UInt(bitPattern: places[row]) < startCount, "the place of a start")
            let (last, rest) = (lengths[row] >> 3, lengths[row] & 7)
            let length = (starts.length &+ UInt64(truncatingIfNeeded: lengths[row])) << 56
            let place = last * count + row
            words[place] = rest == 0 ? length : words[place] | length
            lengths[row] = last
            most = max(most, last)
        }
        return most
    }

    /// Adds them up; whoever calls has looked at all places and lengths.
    private static func add(
        _ words: Span<UInt64>, _ lengths: Span<Int>, _ places: Span<Int>,
        _ states: Span<healthvault_sip_state>, _ variant: healthvault_sip_variant
    ) -> UInt128 {
        let sum = unsafe words.withUnsafeBufferPointer { words in
            unsafe lengths.withUnsafeBufferPointer { lengths in
                unsafe places.withUnsafeBufferPointer { places in
                    unsafe states.withUnsafeBufferPointer { states in
                        unsafe healthvault_sip_sum(
                            words.baseAddress, places.count, lengths.baseAddress, states.baseAddress,
                            places.baseAddress, variant)
                    }
                }
            }
        }
        return UInt128(sum.high) << 64 | UInt128(sum.low)
    }
}
