import SampleBatches
import Testing

@Suite("Integers in groups of seven bits")
struct VarintTests {
    /// Integers around every number of groups, and those that are largest and smallest.
    private static let values: [Int] =
        (0..<63).flatMap { bit in [-1, 0, 1].map { (1 << bit) + $0 } } + [.max, -1, .min]

    /// The groups of an integer, one by one.
    private func groups(_ value: Int) -> [UInt8] {
        var rest = UInt(bitPattern: value)
        var groups: [UInt8] = []
        while rest >= 0x80 {
            groups.append(UInt8(rest & 0x7f) | 0x80)
            rest >>= 7
        }
        return groups + [UInt8(rest)]
    }

    @Test("are written and read back, wherever they end", arguments: 0..<12)
    func roundTrip(rest: Int) {
        for value in Self.values {
            var bytes: [UInt8] = []
            Varint.append(value, to: &bytes)
            #expect(bytes == groups(value))
            #expect(Varint.length(of: value) == bytes.count)
            var place = 0
            let text = bytes + [UInt8](repeating: 0xff, count: rest)
            #expect(Varint.read(text.span, at: &place) == value)
            #expect(place == bytes.count)
        }
    }

    @Test("are put into room that was made before")
    func put() {
        for value in Self.values {
            var bytes = [UInt8](repeating: 0, count: Varint.longest)
            var target = bytes.mutableSpan
            var end = 0
            Varint.put(value, into: &target, at: &end)
            #expect(Array(bytes[..<end]) == groups(value))
            end = 0
            target = bytes.mutableSpan
            Varint.putSigned(value, into: &target, at: &end)
            var place = 0
            #expect(Varint.readSigned(bytes.span, at: &place) == value)
            #expect(place == end)
        }
    }
}
