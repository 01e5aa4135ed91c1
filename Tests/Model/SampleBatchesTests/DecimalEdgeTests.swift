import ExportGenerator
import SampleBatches
import Testing

@Suite("Numbers as exports write them")
struct DecimalEdgeTests {
    /// The number of a token among other digits, which must not be looked at.
    private func number(_ token: [UInt8]) -> Double? {
        let text = Array("98.".utf8) + token + Array("7e6".utf8)
        return DecimalText.number(ofToken: text.span, 3..<(3 + token.count))
    }

    /// The number that the library finds in a text; nil if it is not finite.
    private func expected(_ text: String) -> Double? {
        guard let number = Double(text), number.isFinite else { return nil }
        return number
    }

    /// Returns the texts whose number, by itself or in quotes, is not the library's to the last bit.
    private func wrong(_ texts: [String]) -> [String] {
        texts.filter { text in
            let expected = expected(text)?.bitPattern
            let (plain, quoted) = (number(Array(text.utf8)), number(Array("\"\(text)\"".utf8)))
            return plain?.bitPattern != expected || quoted?.bitPattern != expected
        }
    }

    private func digits(_ count: Int, _ random: inout SplitMix64) -> String {
        (0..<count).map { _ in "\(random.below(10))" }.joined()
    }

    @Test("are the nearest to what is written, whatever the number of digits", arguments: 1...20)
    func digitsAndDecimals(count: Int) {
        var random = SplitMix64(seed: UInt64(count))
        var texts: [String] = []
        for decimals in 0...20 {
            for sign in ["", "-", "+"] {
                for _ in 0..<10 {
                    let point = decimals == 0 ? "" : "." + digits(decimals, &random)
                    texts.append(sign + digits(count, &random) + point)
                }
            }
        }
        #expect(wrong(texts) == [])
    }

    @Test("have exponents", arguments: 1...20)
    func exponents(count: Int) {
        var random = SplitMix64(seed: UInt64(count))
        var texts: [String] = []
        for exponent in ["0", "1", "5", "15", "22", "23", "30", "291", "308", "309", "324", "400", "99999"] {
            for mark in ["e", "E", "e+", "e-", "E-"] {
                let whole = digits(count, &random)
                texts += [whole, "-" + whole, whole + "." + digits(3, &random)].map { $0 + mark + exponent }
            }
        }
        #expect(wrong(texts) == [])
    }

    @Test("are exact where a fast way ends", arguments: 0...20)
    func edges(decimals: Int) {
        let wholes = [
            "1", "9", "9007199254740991", "9007199254740992", "9007199254740993", "999999999999999",
            "9999999999999999", "99999999999999999999", "100000000000000", "123456789012345", "5", "25",
            "125",
        ]
        var texts: [String] = []
        for whole in wholes {
            // The point that many places from the end.
            let padded = String(repeating: "0", count: max(0, decimals + 1 - whole.count)) + whole
            let point = decimals == 0 ? "" : "."
            let moved = "\(padded.dropLast(decimals))\(point)\(padded.suffix(decimals))"
            let zeros = String(repeating: "0", count: decimals)
            for text in ["\(whole).\(whole)", whole + zeros, moved] {
                texts += [text, "-" + text, "0" + text, "000" + text, text + "0", text + "."]
            }
        }
        #expect(wrong(texts) == [])
    }

    @Test("are those that numbers are written as", arguments: 0..<8)
    func descriptions(seed: Int) {
        var random = SplitMix64(seed: UInt64(seed))
        var texts: [String] = []
        for _ in 0..<500 {
            texts.append("\(Double(bitPattern: random.next()))")
            texts.append("\(Double(random.below(1_000_000)) / 1000)")
        }
        #expect(wrong(texts) == [])
    }

    @Test(
        "are none in other texts, or the library's",
        arguments: [
            "", "-", "+", ".", "-.", "1.", "-1.", ".5", "-.5", "+.5", "..5", "1..5", "1.5.", "--1", "+-1",
            "1-",
            "1-2", "1e", "1e+", "e5", "1e5.5", "nan", "NaN", "-nan", "inf", "-inf", "infinity", "1e999",
            "-1e999",
            "1e-999", "007", "-007", "00", "-0", "-0.0", "0.0", "0e0", "0x10", "0x1p3", "1,5", "1 5", " 1",
            "1 ",
            "1_000", "١", "１", "½", "n/a", "418 cm", "1.5e", "4.9e-324", "2.4e-324", "1.7976931348623157e308",
            "1.7976931348623159e308", ":", "/", "1:", "1/", "1;5",
        ])
    func others(text: String) { #expect(wrong([text]) == []) }

    @Test(
        "are none in what is no number",
        arguments: ["", "-", ".", "-.", "1.5.", "n/a", "nan", "inf", "1e999", "418 cm", "1,5", " 1", "1 "])
    func none(text: String) {
        #expect(number(Array(text.utf8)) == nil && number(Array("\"\(text)\"".utf8)) == nil)
    }

    @Test("are read out of strings with escapes, and not out of half a string")
    func strings() {
        #expect(number(Array(#""6\u0031.\u0035""#.utf8)) == 61.5)
        #expect(number(Array(#""61\n""#.utf8)) == nil)
        for token in ["\"", "\"61", "61\"", "\"\\u00", "\"\\", "\"\"", "\"\\ud800\""] {
            #expect(number(Array(token.utf8)) == nil, "\(token)")
        }
        for bytes: [UInt8] in [[0xff], [0x36, 0xff], [0x22, 0xff, 0x22], [0x80, 0x36]] {
            #expect(number(bytes) == nil)
        }
    }

    @Test("are none in an empty range, wherever it is")
    func emptyRanges() {
        let text = Array("61.5".utf8)
        for place in 0...text.count {
            let found = DecimalText.number(ofToken: text.span, place..<place)
            #expect(found == nil)
        }
    }
}
