import ByteText
import Testing

@Suite("Eight bytes at once are what they are one by one")
struct EightBytesTests {
    /// Bytes on both sides of every border that is looked for.
    private static let edges = Array("/09:@AFGZ[\\]`afgz{\"#!~\u{7f}\u{1f} ,-.".utf8) + [0, 0x80, 0xff]

    /// Words of which each byte is one of the edges.
    private static let words: [[UInt8]] = (0..<20_000).map { seed in
        noise(8, seed: UInt64(seed)).map { edges[Int($0) % edges.count] }
    }

    private func word(_ bytes: [UInt8]) -> EightBytes { EightBytes(bytes.span.word(at: 0)) }

    private func prefix(_ bytes: [UInt8], _ belongs: (UInt8) -> Bool) -> Int {
        bytes.firstIndex { !belongs($0) } ?? 8
    }

    @Test("in runs of digits, of hexadecimal digits, and of what stands for itself in a string")
    func runs() {
        for bytes in Self.words + (0...255).map({ [UInt8](repeating: $0, count: 8) }) {
            let digits = prefix(bytes) { (0x30...0x39).contains($0) }
            let plain = prefix(bytes) { (0x20..<0x7f).contains($0) && $0 != 0x22 && $0 != 0x5c }
            #expect(word(bytes).digitCount == digits)
            #expect(word(bytes).plainCount == plain)
            #expect(word(bytes).stringCount == prefix(bytes) { $0 != 0x22 && $0 != 0x5c })
            #expect(word(bytes).hexadecimalDigitCount == prefix(bytes) { Hexadecimal.isDigit($0) })
            #expect((0..<8).map { word(bytes)[$0] } == bytes)
        }
    }

    @Test("in every byte behind digits")
    func ends() {
        for (place, byte) in (0..<8).flatMap({ place in (0...255).map { (place, UInt8($0)) } }) {
            var bytes = Array("12345678".utf8)
            bytes[place] = byte
            #expect(word(bytes).digitCount == ((0x30...0x39).contains(byte) ? 8 : place))
            let isHexadecimal = "0123456789abcdefABCDEF".utf8.contains(byte)
            #expect(word(bytes).hexadecimalDigitCount == (isHexadecimal ? 8 : place))
        }
    }

    @Test("in digits behind a point, wherever it is and whatever follows")
    func decimals() {
        for (point, place, byte) in (0..<8).flatMap({ point in
            (0..<8).flatMap { place in (0...255).map { (point, place, UInt8($0)) } }
        }) {
            var bytes = Array("12345678".utf8)
            bytes[place] = byte
            bytes[point] = UInt8(ascii: ".")
            let ends = (0..<8).filter { !(0x30...0x39).contains(bytes[$0]) } + [8]
            // What is behind a byte that is not ASCII is not known.
            let counts = word(bytes).digitCounts
            #expect(counts.first == ends[0])
            if bytes[ends[0]] < 0x80 { #expect(counts.second == ends[1]) }
        }
        #expect(word(Array("12345678".utf8)).digitCounts == (8, 8))
    }

    @Test("in numbers of every length", arguments: 1...8)
    func numbers(_ count: Int) {
        let largest = (0..<count).reduce(0) { value, _ in value * 10 + 9 }
        for value in [0, 1, largest / 7, largest / 3, largest - 1, largest] {
            let digits = Array(String(value).utf8)
            let padded = [UInt8](repeating: 0x30, count: count - digits.count) + digits
            #expect(word(padded + noise(8 - count)).number(ofDigits: count) == value)
        }
    }

    @Test("in four digits between commas")
    func lists() {
        #expect(word(Array("0,9,5,7,".utf8)).areFourDigits)
        for (place, byte) in (0..<8).flatMap({ place in (0...255).map { (place, UInt8($0)) } }) {
            var bytes = Array("0,9,5,7,".utf8)
            bytes[place] = byte
            let fits = place % 2 == 0 ? (0x30...0x39).contains(byte) : byte == UInt8(ascii: ",")
            #expect(word(bytes).areFourDigits == fits)
        }
    }

    @Test("in runs that end anywhere, as far as eight bytes can be looked at", arguments: 0..<40)
    func runs(_ length: Int) {
        for rest in 0..<20 {
            let text = [UInt8](repeating: 0x35, count: length) + [UInt8](repeating: 0x20, count: rest)
            let end = text.span.endOfRun(from: 0) { $0.digitCount }
            // Where less than eight bytes are left nothing more is looked at.
            #expect(end == (rest >= 8 ? length : min(length, (length + rest) / 8 * 8)))
        }
    }
}
