/// A random identifier, written like Apple's UUIDs, in capital letters.
struct Identifier: Sendable, Hashable {
    private let high: UInt64
    private let low: UInt64

    /// Draws an identifier of version 4, variant 1, as defined in RFC 9562, section 5.4.
    init(from chance: inout SplitMix64) {
        high = chance.next() & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
        low = chance.next() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
    }

    func append(to text: inout ByteText) {
        for (index, shift) in stride(from: 60, through: 0, by: -4).enumerated() {
            if index == 8 || index == 12 { text.append(UInt8(ascii: "-")) }
            text.append(Self.digit(high >> UInt64(shift)))
        }
        for (index, shift) in stride(from: 60, through: 0, by: -4).enumerated() {
            if index == 0 || index == 4 { text.append(UInt8(ascii: "-")) }
            text.append(Self.digit(low >> UInt64(shift)))
        }
    }

    var text: String {
        var text = ByteText()
        append(to: &text)
        return text.string
    }

    private static func digit(_ bits: UInt64) -> UInt8 {
        let value = UInt8(truncatingIfNeeded: bits) & 15
        return value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") - 10 + value
    }
}
