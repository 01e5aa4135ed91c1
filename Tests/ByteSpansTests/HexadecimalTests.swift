import ByteSpans
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
}
