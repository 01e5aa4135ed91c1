import ByteText
import Testing

@Suite("Hexadecimal digits")
struct HexadecimalTests {
    @Test("are two for each byte, and of a number all that it has room for")
    func text() {
        #expect(Hexadecimal.text([0, 9, 10, 0x7f, 0xff]) == "00090a7fff")
        #expect(Hexadecimal.text([]).isEmpty)
        #expect(Hexadecimal.text(0xab as UInt32) == "000000ab")
        #expect(Hexadecimal.text(UInt128.max - 15) == String(repeating: "f", count: 31) + "0")
        let zeros = String(repeating: "0", count: 15)
        #expect(Hexadecimal.text(1 << 64 as UInt128) == zeros + "1" + zeros + "0")
    }

    @Test("are the same wherever they are appended")
    func append() {
        let number: UInt128 = 0x0123_4567_89ab_cdef << 64 | 0xf0e1
        var digits: [UInt8] = [0x2d]
        Hexadecimal.append(number, to: &digits)
        #expect(String(decoding: digits, as: UTF8.self) == "-" + Hexadecimal.text(number))
    }

    @Test("of a number are read back, in lower case and in their full width only")
    func number() {
        for number: UInt128 in [0, 1, .max, 0x0123_4567_89ab_cdef << 64 | 0xf0e1] {
            let text = Hexadecimal.text(number)
            #expect(Hexadecimal.number(text.utf8Span.span, UInt128.self) == number)
            for other in ["0" + text, String(text.dropFirst()), text + "g", "+" + text.dropFirst()] {
                #expect(Hexadecimal.number(other.utf8Span.span, UInt128.self) == nil)
            }
        }
        #expect(Hexadecimal.number("000000Ab".utf8Span.span, UInt32.self) == nil)
        #expect(Hexadecimal.number("000000ab".utf8Span.span, UInt32.self) == 0xab)
    }

    @Test("of a part of eight are each what it is", arguments: [0, 4, 8, 12, 16, 20, 24, 28])
    func places(shift: Int) {
        for digit: UInt32 in 0..<16 {
            let text = Hexadecimal.text(digit << UInt32(shift))
            var digits: [UInt8] = []
            Hexadecimal.append(digit << UInt32(shift), to: &digits)
            #expect(String(decoding: digits, as: UTF8.self) == text)
        }
    }

    @Test("are read back as the bytes that they were made of")
    func bytes() {
        for count in 0...3 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 100 + 0x0f) }
            #expect(Hexadecimal.bytes(Hexadecimal.text(bytes)) == bytes)
        }
        let all = Array(UInt8.min...UInt8.max)
        #expect(Hexadecimal.bytes(Hexadecimal.text(all)) == all)
    }

    @Test(
        "are no others than 0 to 9 and a to f, in pairs",
        arguments: [
            "0", "000", "0A", "FF", "0g", "g0", "0x", " 0", "0 ", "-1", "/0", ":0", "`0", "0\0", "\u{e9}",
            "００",
        ])
    func noDigits(text: String) { #expect(Hexadecimal.bytes(text) == nil) }
}
