import SipHash
import Testing

@Suite("The sum of many SipHashes")
struct SipHashesTests {
    @Test(
        "is that of one by one, in all ways that this processor has", arguments: 0..<70, SipHashes.variants)
    func sum(_ count: Int, _ variant: UInt32) {
        var numbers = SystemRandomNumberGenerator()
        // As long as each other, and as different as they may be.
        for spread in [1, 4, 30, 100] {
            var starts = SipHashes.Starts()
            let heads = (0..<3).map { _ in
                var head = SipHash128()
                head.update(numbers.next())
                head.update(numbers.next())
                starts.append(head)
                return head
            }
            let messages = (0..<count).map { _ in
                (0..<(40 + Int.random(in: 0..<spread))).map { _ in UInt8.random(in: .min ... .max) }
            }
            let places = (0..<count).map { row in spread == 1 ? 1 : (row + spread) % 3 }
            var expected: UInt128 = 0
            for (message, place) in zip(messages, places) {
                var hash = heads[place]
                hash.update(message.span)
                expected &+= hash.finish()
            }
            var (words, lengths) = Self.columns(messages)
            let sum = SipHashes.sum(
                &words, lengths: &lengths, places: places.span, starts: starts, variant: variant)
            #expect(sum == expected, "\(spread)")
        }
    }

    /// Returns the words of messages one beside the other, with something else behind the shorter ones, and their lengths.
    private static func columns(_ messages: [[UInt8]]) -> (words: [UInt64], lengths: [Int]) {
        let most = messages.map { $0.count / 8 + 1 }.max() ?? 0
        var words = [UInt64](repeating: 0x5555_5555_5555_5555, count: most * messages.count)
        for (row, message) in messages.enumerated() {
            for start in stride(from: 0, through: message.count, by: 8) {
                let bytes = message[start..<min(start + 8, message.count)]
                guard !bytes.isEmpty else { continue }
                words[start / 8 * messages.count + row] = bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
            }
        }
        return (words, messages.map(\.count))
    }
}
