import ByteText
import ExportGenerator
import Testing

@Suite("Numbers (RFC 8259, section 6)")
struct NumberTests {
    static let numbers = [
        "0", "-0", "1", "10", "-1", "123456789012345678901234567890", "0.0", "-0.0", "0.5", "1.50", "10.01",
        "1e5", "1E5",
        "1e+5", "1e-5", "1E+05", "0e0", "-1.25e-10", "0.1e1", "1e999", "9223372036854775808",
    ]

    static let others = [
        "", "-", "+1", "00", "01", "-01", "-00", ".5", "1.", "-.5", "1.e5", "1e", "1e+", "1e-", "1ee5",
        "1e5.5", "1.5.5",
        "0x10", "1_000", "1,000", "Infinity", "-Infinity", "NaN", "--1", "1-2", "1e5e5", "\u{661}", "1f",
        "-e5",
        "0b1", "1e--5", "e5",
    ]

    @Test("follow the grammar", arguments: numbers)
    func valid(text: String) throws {
        #expect(matches(text))
        var reader = JSONReader(Array(" \(text)\n".utf8))
        #expect(try reader.number() == 1..<(1 + text.utf8.count))
        try reader.finish()
        reader = JSONReader(Array("[\(text),\(text)]".utf8))
        #expect(try reader.skip() == 0..<(2 * text.utf8.count + 3))
    }

    @Test("are nothing else", arguments: others)
    func invalid(text: String) {
        #expect(!matches(text))
        var reader = JSONReader(Array(text.utf8))
        #expect(throws: JSONError.self) {
            _ = try reader.number()
            try reader.finish()
        }
    }

    @Test("have no white space in them", arguments: ["1 ", " 1", "- 1", "1 .5", "1e 5", "1\n"])
    func space(text: String) {
        #expect(!matches(text))
    }

    @Test(
        "are integers of 64 bits where that is asked for",
        arguments: [
            ("0", 0), ("-0", 0), ("7", 7), ("-7", -7), ("9223372036854775807", .max),
            ("-9223372036854775808", .min),
            ("1000000000000000000", 1_000_000_000_000_000_000),
        ])
    func integers(text: String, value: Int) throws {
        var reader = JSONReader(Array(text.utf8))
        #expect(try reader.integer() == value)
        try reader.finish()
        var output: [UInt8] = []
        JSONNumber.append(value, to: &output)
        #expect(String(decoding: output, as: UTF8.self) == String(value))
    }

    @Test(
        "are refused as integers where they do not fit",
        arguments: [
            "9223372036854775808", "-9223372036854775809", "99999999999999999999", "-18446744073709551616",
        ])
    func overflow(text: String) {
        var reader = JSONReader(Array(" \(text)".utf8))
        #expect(throws: JSONError(.outOfRange, at: 1)) { try reader.integer() }
    }

    @Test(
        "are refused as integers where they are spelled with a fraction or an exponent",
        arguments: [("1.0", 1), ("12.5", 2), ("1e2", 1), ("-1E2", 2)])
    func fractions(text: String, offset: Int) {
        var reader = JSONReader(Array(text.utf8))
        #expect(throws: JSONError(.unexpected, at: offset)) { try reader.integer() }
    }

    @Test("are appended as Swift spells them")
    func appending() {
        var generator = SplitMix64(seed: 2)
        for shift in 0..<64 {
            for value in [
                Int.random(in: .min ... .max, using: &generator) >> shift, 1 << shift, -(1 << (shift % 63)),
            ] {
                var output: [UInt8] = [1]
                JSONNumber.append(value, to: &output)
                #expect(String(decoding: output.dropFirst(), as: UTF8.self) == String(value))
            }
        }
    }

    private func matches(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return JSONNumber.matches(bytes.span)
    }
}
