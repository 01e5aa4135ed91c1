import ByteText
import Testing

@Suite("Texts that are no JSON (RFC 8259, section 2)")
struct MalformedTextTests {
    static let malformed: [String] = [
        "", " ", "\u{feff}1", "nul", "nulll", "Null", "tru", "truex", "fals", "TRUE", "undefined", "'a'", "a",
        "#", "// 1",
        "1 2", "1,", ",", ":", "}", "]", "{", "[", "\"", "\"a", "[1", "[1,", "[1,]", "[,1]", "[,]", "[1 2]",
        "[1}", "[1;2]",
        "[1,,2]", "[]]", "[[]", "{]", "{,}", "{\"a\"}", "{\"a\":}", "{\"a\" 1}", "{\"a\":1", "{\"a\":1,",
        "{\"a\":1,}",
        "{\"a\":1 \"b\":2}", "{\"a\":1,,}", "{\"a\":1]", "{1:2}", "{null:1}", "{a:1}", "{[]:1}", "{\"a\"::1}",
        "{\"a\":1}}",
        "{\"a\":1}x", "{:1}", "\"\t\"", "\"\n\"", "\"\u{0}\"", "\"\u{1f}\"", #""\x""#, #""\a""#, #""\'""#,
        #""\0""#, #""\"#,
        #""\""#, #""\u""#, #""\u1""#, #""\u12""#, #""\u123""#, #""\u123g""#, #""\U0041""#, #""\u 041""#,
        #""\u+041""#,
        "\"\\\n\"", "\"\\\u{e9}\"", #"["\u12"]"#, #"{"\q":1}"#, #"{"a":"\q"}"#, "\u{c}1", "\u{a0}1",
        "1\u{2028}", "[1]/**/",
    ]

    @Test("are refused as malformed when they are skipped", arguments: malformed)
    func skipping(text: String) {
        #expect(code { reader in try reader.skip() }(text) == .malformed)
    }

    @Test("are refused when they are read value by value", arguments: malformed)
    func reading(text: String) {
        #expect(code(readAnything)(text) == .malformed)
    }

    static let malformedUTF8: [[UInt8]] = [
        [0x80], [0xff], [0xc3], [0xc0, 0x80], [0xe2, 0x82], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80],
        [0x5c, 0x80],
        [0x5c, 0xc3, 0xa9],
    ]

    @Test("are refused where a string is no UTF-8", arguments: malformedUTF8)
    func malformedStrings(body: [UInt8]) {
        for text in [[0x22] + body + [0x22], [0x7b, 0x22] + body + [0x22, 0x3a, 0x31, 0x7d], [0x22] + body] {
            var reader = JSONReader(text)
            #expect { try reader.skip() } throws: { ($0 as? JSONError)?.code == .malformed }
            reader = JSONReader(text)
            #expect { try readAnything(&reader) } throws: { ($0 as? JSONError)?.code == .malformed }
        }
    }

    @Test("are found in every proper prefix of a text")
    func prefixes() throws {
        let text = Array(#"{"a":[1,-2.5e3,"x\u00e9\n",true,false,null,{"b":{}}],"c":[[]]}"#.utf8)
        for count in 0..<text.count {
            var reader = JSONReader(Array(text[..<count]))
            #expect { try reader.skip() } throws: { ($0 as? JSONError)?.code == .malformed }
            // The same prefix with the rest behind it, out of the reader's range.
            reader = JSONReader(text, range: 0..<count)
            #expect { try reader.skip() } throws: { ($0 as? JSONError)?.code == .malformed }
        }
        var reader = JSONReader(text)
        #expect(try reader.skip() == 0..<text.count)
    }

    @Test("are told from JSON of another kind")
    func otherKinds() {
        let texts = ["{}", "[]", #""a""#, "1", "true", "null"]
        let readings: [(inout JSONReader) throws -> Void] = [
            { try $0.object { reader, _ in try reader.skip() } },
            { try $0.array { reader in try reader.skip() } },
            { _ = try $0.string() }, { _ = try $0.number() }, { _ = try $0.bool() },
        ]
        for (place, reading) in readings.enumerated() {
            for (other, text) in texts.enumerated() {
                #expect(code(reading)(text) == (place == other ? nil : .unexpected))
            }
            #expect(code(reading)("?") == .malformed)
        }
    }

    @Test(
        "are told from a comma and from an end where one of both is asked for",
        arguments: ["]", "1", "}", "x"])
    func commas(text: String) throws {
        func comma(_ text: String) throws -> Bool {
            var reader = JSONReader(Array(text.utf8))
            return try reader.comma()
        }
        #expect(try comma(" ,1"))
        #expect(try !comma(" \n"))
        #expect(throws: JSONError(.malformed, at: 1)) { try comma(" " + text) }
    }

    @Test(
        "are located",
        arguments: [("[1,x]", 3), ("{\"a\":tru}", 5), ("[1] 2", 4), ("\"a\\q\"", 2), ("[01]", 1)])
    func places(text: String, offset: Int) {
        var reader = JSONReader(Array(text.utf8))
        #expect(throws: JSONError(.malformed, at: offset)) {
            try reader.skip()
            try reader.finish()
        }
    }

    /// The code of the error that reading a whole text gives.
    private func code(_ body: @escaping (inout JSONReader) throws -> Void) -> (String) -> JSONError.Code? {
        { text in
            var reader = JSONReader(Array(text.utf8))
            do {
                try body(&reader)
                try reader.finish()
                return nil
            } catch { return (error as? JSONError)?.code }
        }
    }
}

/// Reads any value through the calls for its kind.
func readAnything(_ reader: inout JSONReader) throws {
    switch try reader.kind() {
    case .object: try reader.object { reader, _ in try readAnything(&reader) }
    case .array: try reader.array { reader in try readAnything(&reader) }
    case .string: _ = try reader.stringBytes()
    case .number: _ = try reader.number()
    case .bool: _ = try reader.bool()
    case .null: try reader.skip()
    }
}
