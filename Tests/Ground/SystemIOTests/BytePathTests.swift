import SystemIO
import Testing

@Suite("Paths are bytes")
struct BytePathTests {
    /// A name that is no UTF-8.
    private static let odd = BytePath(bytes: [0x61, 0xff, 0xc3, 0x28])
    private static let (nfc, nfd): (BytePath, BytePath) = ("caf\u{e9}", "cafe\u{301}")

    @Test("Two are the same where their bytes are, and nowhere else")
    func equality() {
        #expect("\(Self.nfc)" as String == "\(Self.nfd)" as String, "as strings they are equal")
        #expect(Self.nfc != Self.nfd && Self.nfc.hashValue != Self.nfd.hashValue)
        #expect(Set([Self.nfc, Self.nfd, Self.nfc]).count == 2)
        #expect(BytePath(bytes: [0x61, 0xfe]) != BytePath(bytes: [0x61, 0xff]))
        #expect(BytePath("a/") != "a" && BytePath("A") != "a")
        #expect(BytePath("caf\u{e9}") == BytePath(bytes: [0x63, 0x61, 0x66, 0xc3, 0xa9]))
    }

    @Test("They are in the order of their bytes")
    func order() {
        let sorted: [BytePath] = [
            "", "A", "B", "a", "a\0", "a/b", "a0", "cafe\u{301}", "caf\u{e9}", "\u{e9}",
        ]
        #expect(sorted.reversed().sorted() == sorted)
        #expect(BytePath("\u{ffff}") < "\u{10000}", "as UTF-16 it would be the other way round")
    }

    @Test("Paths put together keep the bytes of each")
    func interpolation() {
        let odd = Self.odd
        #expect(("\(odd)" as BytePath).bytes == odd.bytes)
        #expect(
            ("x/\(odd).part\(12)\("é")" as BytePath).bytes == Array("x/".utf8) + odd.bytes
                + Array(".part12é".utf8))
        #expect((odd + "b").bytes == odd.bytes + [0x62])
        #expect(("e" + "\u{301}" as BytePath).bytes == [0x65, 0xcc, 0x81])
        #expect("\(-1)" as BytePath == "-1")
    }

    @Test("Shown to people they say what could not be seen, and what is no text")
    func description() {
        #expect(Self.odd.description == "a\\xff\\xc3(")
        #expect(
            Self.nfc.description == "caf\u{e9}"
                && ("a b/\u{1f600}" as BytePath).description == "a b/\u{1f600}")
        #expect(
            ("a\n\u{1b}[2Jb\u{202e}\u{7f}\0" as BytePath).description
                == "a\\u{a}\\u{1b}[2Jb\\u{202e}\\u{7f}\\u{0}")
        #expect(BytePath(bytes: [0xe9, 0x0a, 0xc3, 0xa9, 0x80]).description == "\\xe9\\u{a}\u{e9}\\x80")
        #expect(BytePath(bytes: [0xf0, 0x9f, 0x98]).description == "\\xf0\\x9f\\x98")
        #expect(BytePath(bytes: [0x01, 0xff]).description == "\\u{1}\\xff")
    }

    @Test("They are text where they are UTF-8")
    func text() {
        #expect(Self.odd.text == nil && BytePath(bytes: [0xed, 0xa0, 0x80]).text == nil)
        #expect(Self.nfd.text.map { Array($0.utf8) } == Self.nfd.bytes)
        #expect(BytePath("").text?.isEmpty == true)
        #expect(BytePath("").isEmpty && BytePath("").count == 0 && Self.nfd.count == 6)
    }

    @Test("Beginnings and endings are found byte by byte")
    func beginningsAndEndings() {
        #expect(BytePath("files/\u{301}x").hasPrefix("files/") && !BytePath("files").hasPrefix("files/"))
        #expect(BytePath("x\u{301}").hasSuffix("\u{301}") && BytePath("a/\u{301}").hasSuffix("\u{301}"))
        #expect(Self.nfd.hasSuffix("\u{301}") && !Self.nfc.hasSuffix("\u{301}"))
        #expect(Self.nfd.hasPrefix("cafe") && !Self.nfc.hasPrefix("cafe"))
        #expect(
            BytePath("x\u{600}.part").hasSuffix(".part")
                && BytePath("\u{1f1e9}\u{1f1ea}").hasSuffix("\u{1f1ea}"))
        #expect(BytePath("a").hasPrefix("") && BytePath("a").hasSuffix("") && !BytePath("a").hasSuffix("ba"))
        // Half a character is an ending too.
        #expect(Self.nfc.hasSuffix(BytePath(bytes: [0xa9])))
        #expect(
            Self.nfc.dropping(suffix: BytePath(bytes: [0xa9])) == BytePath(bytes: [0x63, 0x61, 0x66, 0xc3]))
        #expect(Self.nfd.dropping(prefix: "cafe") == "\u{301}" && Self.nfc.dropping(prefix: "cafe") == nil)
        #expect(
            BytePath("a.part").dropping(suffix: ".part") == "a"
                && BytePath("a").dropping(suffix: ".part") == nil)
    }

    @Test("Lower case is made of ASCII letters alone")
    func lowercase() {
        #expect(BytePath("Export.XML").asciiLowercased == "export.xml")
        #expect(BytePath("@[`{\u{c9}\u{130}").asciiLowercased == "@[`{\u{c9}\u{130}")
        #expect(BytePath(bytes: [0xc1, 0x41, 0x5a]).asciiLowercased == BytePath(bytes: [0xc1, 0x61, 0x7a]))
    }
}
