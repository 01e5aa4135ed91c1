import Testing

@testable import HealthQueries

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
            bytes.append(addingCapacity: Varint.longest) { (output: inout OutputSpan<UInt8>) in
                Varint.append(value, to: &output)
            }
            #expect(bytes == groups(value))
            var place = 0
            let text = bytes + [UInt8](repeating: 0xff, count: rest)
            #expect(Varint.read(text.span, at: &place) == value)
            #expect(place == bytes.count)
            bytes = []
            bytes.append(addingCapacity: Varint.longest) { (output: inout OutputSpan<UInt8>) in
                Varint.appendSigned(0 &- value, to: &output)
            }
            place = 0
            #expect(Varint.readSigned(bytes.span, at: &place) == 0 &- value)
            #expect(place == bytes.count)
        }
    }
}
