import ByteText
import Testing

@Suite("Numbers of a few bytes, with commas behind them")
struct ShortNumbersTests {
    /// Integers of all lengths, and what is none.
    private static let parts =
        ["0", "5", "-0", "-7", "10", "-10", "123", "99999", "-123456", "123456", "1234567", "-1234567"]
        + [
            "12345678", "-12345678", "01", "-01", "00", "-", "--1", "+1", "1.5", "", " 1", "1 ", "\"1\"",
            "1e5", "é",
        ]

    /// The integers up to the first part that is none of at most seven bytes, and where that starts.
    private func plain(_ parts: [String], most: Int) -> (values: [Int], end: Int) {
        var (values, end) = ([Int](), 0)
        for part in parts.prefix(most) {
            guard let value = Int(part), part.utf8.count <= 7, !part.hasPrefix("+"),
                String(value) == part || part == "-0"
            else { break }
            values.append(value)
            end += part.utf8.count + 1
        }
        return (values, end)
    }

    @Test("are read up to what is none", arguments: 0..<40)
    func integers(_ seed: Int) {
        let noise = noise(4000, seed: UInt64(seed))
        var next = 0
        func below(_ count: Int) -> Int {
            next += 1
            return Int(noise[next]) % count
        }
        for _ in 0..<60 {
            let isMixed = below(3) == 0
            let parts = (0..<below(40)).map { _ in Self.parts[below(isMixed ? Self.parts.count : 11)] }
            let most = below(2) == 0 ? parts.count : below(parts.count + 1)
            // With enough behind them, all are read.
            let text = Array((parts + ["xxxxxxxx"]).joined(separator: ",").utf8)
            let expected = plain(parts, most: most)
            var values: [Int] = []
            let end = text.span.readShortIntegers(from: 0, most: most) { values.append($0) }
            #expect(values == expected.values && end == expected.end, "\(parts)")
        }
    }

    @Test("are read as far as eight bytes can be looked at", arguments: 0...24)
    func lastIntegers(_ rest: Int) {
        let text = Array("1,22,-3,4,5,6,7,".utf8) + [UInt8](repeating: 0x20, count: rest)
        var values: [Int] = []
        let end = text.span.readShortIntegers(from: 0, most: 99) { values.append($0) }
        #expect(values == Array([1, 22, -3, 4, 5, 6, 7].prefix(values.count)))
        #expect(end == (0..<values.count).reduce(0) { $0 + [2, 3, 3, 2, 2, 2, 2][$1] })
        #expect(rest < 6 || values.count == 7)
        #expect(end > text.count - 8 || values.count == 7)
    }

    @Test("with or without a point, every byte of them in turn another one")
    func decimals() {
        let numbers = ["1", "0", "61", "0.5", "61.25", "12345.6", "1.23456", "1234567", "100000", "0.00001"]
        for number in numbers {
            for rest in ["", "]", "77777777", "\"a\",55555"] {
                let text = Array((number + "," + rest).utf8)
                check(text)
                for (place, byte) in text.indices.flatMap({ place in (0...255).map { (place, UInt8($0)) } }) {
                    var other = text
                    other[place] = byte
                    check(other)
                }
            }
        }
    }

    private func check(_ text: [UInt8]) {
        let found = text.span.shortNumber(at: 0)
        guard let comma = text.firstIndex(of: UInt8(ascii: ",")), comma > 0, comma <= 7, text.count >= 8
        else {
            #expect(found == nil)
            return
        }
        let parts = text[..<comma].split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let areDigits = parts.allSatisfy { !$0.isEmpty && $0.allSatisfy { (0x30...0x39).contains($0) } }
        guard parts.count <= 2, areDigits, parts[0].first != 0x30 || parts[0].count == 1 else {
            #expect(found == nil)
            return
        }
        #expect(found?.length == comma)
        #expect(found?.decimals == (parts.count == 2 ? parts[1].count : 0))
        #expect(found?.digits == Int(String(decoding: parts.joined(), as: UTF8.self)))
    }
}
