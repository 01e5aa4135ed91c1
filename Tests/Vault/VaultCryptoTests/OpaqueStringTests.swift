import Testing
import VaultCrypto

@Suite("Passphrases (RFC 8265, OpaqueString)")
struct OpaqueStringTests {
    /// Typed in and normalised by Python: unicodedata.normalize("NFC", text).encode(), with spaces for all
    /// characters of category Zs.
    static let prepared: [(text: String, bytes: String)] = [
        ("correct horse", "636f727265637420686f727365"),
        // Composed and decomposed spellings, of Latin, Greek, Hangul and the singletons.
        ("\u{e9}", "c3a9"), ("e\u{301}", "c3a9"), ("\u{212b}", "c385"), ("A\u{30a}", "c385"),
        ("\u{1e9b}\u{323}", "e1ba9bcca3"), ("\u{1100}\u{1161}\u{11a8}", "eab081"), ("\u{ac00}", "eab080"),
        ("\u{2126}", "cea9"), ("\u{390}", "ce90"), ("\u{344}", "cc88cc81"),
        // The order of combining marks.
        ("q\u{307}\u{323}", "71cca3cc87"), ("q\u{323}\u{307}", "71cca3cc87"),
        ("a\u{315}\u{300}\u{5ae}\u{300}b", "c3a0d6aecc80cc9562"),
        // Composition exclusions stay decomposed; others compose outside of the BMP, too.
        ("\u{958}", "e0a495e0a4bc"), ("\u{fb1d}", "d799d6b4"), ("\u{1d15e}", "f09d8597f09d85a5"),
        ("\u{11099}\u{110ba}", "f091829a"), ("\u{9c7}\u{9be}", "e0a78b"),
        // Compatibility forms and case are kept.
        ("\u{fb01}", "efac81"), ("\u{df}", "c39f"), ("\u{130}", "c4b0"),
        // Spaces of all kinds, and what only looks like one.
        ("a\u{a0}\u{1680}\u{2000}\u{2001}\u{3000}b", "61202020202062"),
        (
            "\u{2002}\u{2003}\u{2004}\u{2005}\u{2006}\u{2007}\u{2008}\u{2009}\u{200a}\u{202f}\u{205f}",
            "2020202020202020202020"
        ),
        ("\u{200b}\u{200d}\u{2028}", "e2808be2808de280a8"),
        ("\u{fffe}\u{10ffff}", "efbfbef48fbfbf"),
    ]

    @Test("come out as Python's unicodedata prepares them", arguments: prepared)
    func agreement(text: String, bytes expected: String) throws {
        #expect(try prepare(Array(text.utf8)) == bytes(hexadecimal: expected))
    }

    @Test("are the same composed and decomposed, and differ in case and in a space more")
    func equality() throws {
        let composed = try Passphrase(preparing: Array("caf\u{e9} noir".utf8).span)
        #expect(try composed.equals(Passphrase(preparing: Array("cafe\u{301}\u{a0}noir".utf8).span)))
        #expect(try !composed.equals(Passphrase(preparing: Array("Caf\u{e9} noir".utf8).span)))
        #expect(try !composed.equals(Passphrase(preparing: Array("caf\u{e9}  noir".utf8).span)))
    }

    @Test("of the form of a generated one are the same without hyphens, with spaces and in capitals")
    func generated() throws {
        let form = "abcde-fghij-klmno-pqrst-uvw27"
        for text in [
            form, "ABCDE-FGHIJ-KLMNO-PQRST-UVW27", "abcdefghijklmnopqrstuvw27",
            " aBcDe fghij klmno\u{a0}pqrst uvw27-",
            "a-b-c-d-e-f-g-h-i-j-k-l-m-n-o-p-q-r-s-t-u-v-w-2-7",
        ] {
            #expect(try prepare(Array(text.utf8)) == Array(form.utf8), "\(text)")
        }
        for text in [
            "abcdefghijklmnopqrstuvw2", "abcdefghijklmnopqrstuvw277", "abcdefghijklmnopqrstuvw28",
            "abcdefghijklmnopqrstuvw2_7", "abcdefghijklmnopqrstuv\u{212a}27",
            "abcdefghijklmnopqrstuvw2\u{2010}7",
        ] {
            #expect(try prepare(Array(text.utf8)) != Array(form.utf8), "\(text)")
        }
        #expect(try prepare(Array("Abcdefghijklmnopqrstuvw2".utf8)) == Array("Abcdefghijklmnopqrstuvw2".utf8))
    }

    @Test("may be of any length up to the longest, whatever the characters decompose to")
    func lengths() throws {
        // U+FB2C is three code points in NFD and, being excluded from composition, in NFC.
        for (text, room) in [("a", 1), ("\u{fb2c}", 3), ("\u{1f600}", 4), ("\u{390}", 2)] {
            let whole = String(repeating: text, count: Passphrase.longest / room)
            let once = try prepare(Array(text.utf8))
            let expected = [[UInt8]](repeating: once, count: Passphrase.longest / room).flatMap(\.self)
            #expect(try prepare(Array(whole.utf8)) == expected)
        }
        #expect(throws: Passphrase.Problem.tooLong) {
            try prepare([UInt8](repeating: 0x61, count: Passphrase.longest + 1))
        }
    }

    @Test("must not be empty")
    func empty() {
        #expect(throws: Passphrase.Problem.empty) { try prepare([]) }
        #expect(throws: Passphrase.Problem.empty) { try prepareLine([10]) }
        #expect(throws: Passphrase.Problem.empty) { try prepareLine([13, 10]) }
        #expect(throws: Passphrase.Problem.empty) { try prepareLine([]) }
    }

    /// HMAC fills keys up with zeroes; without this rule `abc` and `abc\0` would be the same passphrase.
    @Test("must not hold control characters", arguments: Array(0..<0x20) + Array(0x7f...0x9f))
    func controls(point: Int) throws {
        let character = try #require(Unicode.Scalar(point).map(String.init))
        for text in [character, "a" + character, character + "a", "a" + character + "b"] {
            #expect(throws: Passphrase.Problem.controlCharacter) { try prepare(Array(text.utf8)) }
        }
    }

    /// Tables of a later Unicode may compose such a character, and the same keys would then be another passphrase.
    @Test(
        "are marked where a character is not assigned, wherever it stands",
        arguments: [0x378, 0x379, 0x2fe0, 0xffff, 0x1ffff, 0xe0000, 0x10ffff])
    func unassigned(point: Int) throws {
        let character = try #require(Unicode.Scalar(point).map(String.init))
        for text in [character, "a" + character, character + "\u{e9}", "a" + character + "b"] {
            #expect(try hasUnassigned(text))
        }
    }

    @Test(
        "are not where all are, of whatever kind they are",
        arguments: [
            "correct horse", "caf\u{e9}", "cafe\u{301}", "\u{3b1}\u{5d0}\u{4e2d}\u{ac00}", "\u{1f600}",
            "\u{e000}", "\u{f0000}", "\u{200b}\u{200d}\u{2028}", "\u{377}\u{37a}", "\u{fffd}", " ",
        ])
    func assigned(text: String) throws { #expect(try !hasUnassigned(text)) }

    private func hasUnassigned(_ text: String) throws -> Bool {
        let bytes = Array(text.utf8)
        let isMarked = try Passphrase(preparing: bytes.span).hasUnassigned
        let line = bytes + [10]
        #expect(try Passphrase(preparingLine: line.span).hasUnassigned == isMarked)
        return isMarked
    }

    static let malformed: [[UInt8]] = [
        [0x80], [0xff], [0xc3], [0x61, 0xc3], [0xc3, 0x61], [0xc0, 0x80], [0xc1, 0xbf], [0xe2, 0x82],
        [0xe0, 0x9f, 0xbf],
        [0xed, 0xa0, 0x80], [0xed, 0xbf, 0xbf], [0xf0, 0x8f, 0xbf, 0xbf], [0xf4, 0x90, 0x80, 0x80],
        [0xf8, 0x88, 0x80, 0x80, 0x80], [0x61, 0xfe, 0x62],
    ]

    @Test("must be UTF-8", arguments: malformed)
    func notUTF8(text: [UInt8]) {
        #expect(throws: Passphrase.Problem.notUTF8) { try prepare(text) }
    }

    @Test(
        "lose exactly one line end when they come as a line",
        arguments: [
            ("abc", true), ("abc\n", true), ("abc\r\n", true), ("abc\n\n", false), ("abc\r", false),
            ("abc\r\r\n", false), ("\nabc", false), ("abc\n\r\n", false),
        ] as [(String, Bool)])
    func lineEnds(line: String, isTaken: Bool) throws {
        if isTaken {
            #expect(try prepareLine(Array(line.utf8)) == Array("abc".utf8))
        } else {
            #expect(throws: Passphrase.Problem.controlCharacter) { try prepareLine(Array(line.utf8)) }
        }
        // Asked for on a terminal there is no line end to lose.
        if line.utf8.contains(10) {
            #expect(throws: Passphrase.Problem.controlCharacter) { try prepare(Array(line.utf8)) }
        }
    }

    @Test("are not trimmed: spaces at both ends count")
    func spaces() throws {
        #expect(try prepareLine(Array(" abc \n".utf8)) == Array(" abc ".utf8))
    }

    private func prepare(_ text: [UInt8]) throws -> [UInt8] {
        try Passphrase(preparing: text.span).bytes.copy
    }

    private func prepareLine(_ line: [UInt8]) throws -> [UInt8] {
        try Passphrase(preparingLine: line.span).bytes.copy
    }
}
