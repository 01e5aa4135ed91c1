import ByteText
import ExportGenerator
import Testing

@Suite("Strings (RFC 8259, section 7)")
struct StringTests {
    @Test("bring every sequence of one or two bytes back, and count the bytes that are no UTF-8")
    func shortSequences() throws {
        var failures: [[UInt8]] = []
        for first in UInt8.min...UInt8.max {
            if try !returns([first]) { failures.append([first]) }
            for second in UInt8.min...UInt8.max where try !returns([first, second]) {
                failures.append([first, second])
            }
        }
        #expect(failures.isEmpty)
    }

    /// All starts and ends of ranges in table 3-7 of the Unicode Standard, and their neighbours.
    @Test("bring sequences of three and four bytes at the edges of UTF-8 back")
    func edges() throws {
        let leads: [UInt8] = [
            0x7f, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xec, 0xed, 0xee, 0xef, 0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xff,
        ]
        let tails: [UInt8] = [0x22, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xed]
        var failures: [[UInt8]] = []
        for lead in leads {
            for second in tails {
                for third in tails {
                    if try !returns([lead, second, third]) { failures.append([lead, second, third]) }
                    for fourth in tails where try !returns([lead, second, third, fourth]) {
                        failures.append([lead, second, third, fourth])
                    }
                }
            }
        }
        #expect(failures.isEmpty)
    }

    @Test("bring random bytes back")
    func random() throws {
        var generator = SplitMix64(seed: 1)
        for count in 0..<300 { #expect(try returns(generator.bytes(count))) }
    }

    @Test(
        "escape what must be escaped, in the short form where there is one, and nothing else",
        arguments: [
            ("", #""""#), ("a/b", #""a/b""#), ("\"\\", #""\"\\""#), ("\u{8}\t\n\u{c}\r", #""\b\t\n\f\r""#),
            ("\u{0}\u{b}\u{1f}", #""\u0000\u000b\u001f""#),
            ("\u{7f}\u{80}\u{2028}", "\"\u{7f}\u{80}\u{2028}\""),
            ("\u{e9}\u{1f600}", "\"\u{e9}\u{1f600}\""),
        ])
    func escapes(text: String, json: String) {
        var output: [UInt8] = []
        JSONEscaping.append(text, to: &output)
        #expect(String(decoding: output, as: UTF8.self) == json)
    }

    @Test(
        "turn each byte that is no UTF-8 into a lone surrogate",
        arguments: [
            ([0x80], #""\udc80""#), ([0xff], #""\udcff""#), ([0xc3, 0x28], #""\udcc3(""#),
            ([0xed, 0xa0, 0x80], #""\udced\udca0\udc80""#), ([0xf0, 0x9f, 0x98], #""\udcf0\udc9f\udc98""#),
            ([0xc3, 0xc3, 0xa9], "\"\\udcc3\u{e9}\""),
        ] as [([UInt8], String)])
    func surrogates(bytes: [UInt8], json: String) throws {
        var output: [UInt8] = []
        let malformed = JSONEscaping.append(bytes.span, to: &output)
        #expect(String(decoding: output, as: UTF8.self) == json)
        #expect(malformed == json.split(separator: "udc").count - 1)
    }

    @Test(
        "may be written with any escape",
        arguments: [
            (#""\/\b\f\n\r\t\"\\""#, "/\u{8}\u{c}\n\r\t\"\\"), (#""\u00e9\u00E9""#, "\u{e9}\u{e9}"),
            (#""\ud83d\ude00""#, "\u{1f600}"), (#""\uDBFF\uDFFF""#, "\u{10ffff}"), (#""\u0000""#, "\u{0}"),
            (#""\ud7ff\ue000""#, "\u{d7ff}\u{e000}"), (#""\udbff\udc00""#, "\u{10fc00}"),
        ])
    func anyEscape(json: String, text: String) throws {
        var reader = JSONReader(Array(json.utf8))
        let found = try reader.string()
        try reader.finish()
        // Compared as scalars: Swift's == would take two spellings of a character as one.
        #expect(Array(found.unicodeScalars) == Array(text.unicodeScalars))
    }

    /// Two names that differ in such a byte would be one text, if both had the same sign for it.
    @Test(
        "that stand for bytes that are no UTF-8 can be read as bytes, and not as text",
        arguments: [
            (#""\udc80\u0041""#, [0x80, 0x41]), (#""a\udcff""#, [0x61, 0xff]),
            (#""\udcc3""#, [0xc3]), (#""\udcf0\udc9f\udc98""#, [0xf0, 0x9f, 0x98]),
            (#""\udced\udca0\udc80""#, [0xed, 0xa0, 0x80]),
        ] as [(String, [UInt8])])
    func noText(json: String, bytes: [UInt8]) throws {
        var reader = JSONReader(Array(json.utf8))
        #expect(try reader.stringBytes() == bytes)
        try reader.finish()
        reader = JSONReader(Array((" " + json).utf8))
        #expect(throws: JSONError(.malformed, at: 0)) { try reader.string() }
    }

    @Test(
        "cannot be read where a lone surrogate stands for no byte, but can be skipped",
        arguments: [
            #""\ud800""#, #""\udbffa""#, #""\udc00""#, #""\udc7f""#, #""\udd00""#, #""\ud800\ud800""#,
            #""\ud800\u0041""#,
        ])
    func loneSurrogates(json: String) throws {
        var reader = JSONReader(Array(json.utf8))
        #expect(throws: JSONError.self) { try reader.string() }
        reader = JSONReader(Array(json.utf8))
        try reader.skip()
        try reader.finish()
    }

    @Test(
        "cannot be read where lone surrogates stand for a character",
        arguments: [
            #""\udcc3\udca9""#, #""a\udcc3\udca9b""#, #""\udce2\udc82\udcac""#,
            #""\udcf0\udc9f\udc98\udc80""#, #""\udcc3\udcc3\udca9""#, #""\udc80 \udcc2\udc80""#,
        ])
    func characters(json: String) throws {
        var reader = JSONReader(Array(json.utf8))
        #expect(throws: JSONError(.malformed, at: 1)) { try reader.stringBytes() }
        reader = JSONReader(Array(json.utf8))
        #expect(throws: JSONError.self) { try reader.string() }
    }

    @Test(
        "of a text may be searched for lone surrogates",
        arguments: [
            (#"["\ud83d\ude00","\\ud800","\u00e9",{"\n":5}]"#, false), (#"["a",{"b":"\udc80"}]"#, true),
            (#"{"\ud800":1}"#, true), (#"["\ud800\u0041"]"#, true), (#"["\ud83d\ude00\udc80"]"#, true),
            (#"["\\\udfff"]"#, true), ("[]", false),
        ])
    func loneSurrogatesOfTexts(json: String, hasAny: Bool) {
        #expect(JSONReader(Array(json.utf8)).hasLoneSurrogate == hasAny)
    }

    @Test("tell where their body stands")
    func bodies() throws {
        var reader = JSONReader(Array(#" "ab" : "a\n""#.utf8))
        let plain = try reader.stringBody()
        #expect(plain.range == 2..<4 && plain.isPlain)
        #expect(reader.offset == 5)
        reader = JSONReader(reader.bytes, range: 8..<13)
        let escaped = try reader.stringBody()
        #expect(escaped.range == 9..<12 && !escaped.isPlain)
        try reader.finish()
    }

    private func returns(_ bytes: [UInt8]) throws -> Bool {
        var output: [UInt8] = []
        let malformed = JSONEscaping.append(bytes.span, to: &output)
        var reader = JSONReader(output)
        let read = try reader.stringBytes()
        try reader.finish()
        var skipping = JSONReader(output)
        try skipping.skip()
        try skipping.finish()
        return read == bytes && (malformed == 0) == (String(validating: bytes, as: UTF8.self) != nil)
            && String(validating: output, as: UTF8.self) != nil
    }
}
