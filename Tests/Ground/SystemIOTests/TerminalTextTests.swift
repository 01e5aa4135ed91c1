import SystemIO
import Testing

@Suite("Text on its way to a terminal")
struct TerminalTextTests {
    private func shown(_ point: Int) throws -> String {
        let scalar = try #require(Unicode.Scalar(point))
        return TerminalText(escaping: "a\(Character(scalar))b").text
    }

    /// Each range with what its characters could do.
    // SECURITY.md: "Text from a source or an archive reaches a terminal only with control characters, line"
    @Test(
        "shows as an escape what could steer it, hide or turn the direction of writing",
        arguments: [
            // C0, DEL, C1: ECMA-48.
            0x00...0x1f, 0x7f...0x9f,
            // Line and paragraph separator.
            0x2028...0x2029,
            // UAX #9: marks, embeddings and overrides, isolates.
            0x200e...0x200f, 0x61c...0x61c, 0x202a...0x202e, 0x2066...0x2069,
            // What cannot be seen: soft hyphen, zero-width space, word joiner and its like, byte order mark, annotations.
            0xad...0xad, 0x200b...0x200b, 0x2060...0x2064, 0x206a...0x206f, 0xfeff...0xfeff, 0xfff9...0xfffb,
            0x180e...0x180e,
            // Tags.
            0xe0001...0xe0001, 0xe0020...0xe007f,
        ])
    func escaped(range: ClosedRange<Int>) throws {
        for point in range {
            #expect(try shown(point) == "a\\u{\(String(point, radix: 16))}b")
        }
    }

    @Test(
        "shows what can be seen as it is",
        arguments: [
            "", "plain ~", "\\", "caf\u{e9}", "cafe\u{301}", "\u{4e2d}\u{6587}",
            "\u{5e9}\u{5dc}\u{5d5}\u{5dd}",
            "\u{645}\u{631}\u{62d}\u{628}\u{627}", "\u{a0}\u{202f}\u{3000}", "\u{fffd}", "\u{e000}\u{378}",
            // A family, a flag, and a heart in the colours of an emoji.
            "\u{1f469}\u{200d}\u{1f469}\u{200d}\u{1f467}", "\u{1f1e9}\u{1f1ea}", "\u{2764}\u{fe0f}",
            "\u{915}\u{94d}\u{200c}",
            // Signs that stand under numbers, and one of Syriac.
            "\u{600}\u{605}\u{6dd}\u{70f}\u{890}\u{8e2}\u{110bd}\u{110cd}",
        ])
    func kept(text: String) {
        #expect(Array(TerminalText(escaping: text).text.utf8) == Array(text.utf8))
        #expect(TerminalText(escaping: text).isEmpty == text.isEmpty)
    }

    @Test("filters what is put into a text, and not what stands in the program")
    func interpolation() {
        let name = "a\nb\u{1b}[31m"
        let path = BytePath(bytes: [0x0a, 0xff])
        let text: TerminalText = "one\ntwo\t\(name) \(path) \(7)\n"
        #expect(text.text == "one\ntwo\ta\\u{a}b\\u{1b}[31m \\u{a}\\xff 7\n")
        #expect(TerminalText(escaping: "a\n").text == "a\\u{a}")
        #expect(("a\n\u{1b}" as TerminalText).text == "a\n\u{1b}")
    }

    @Test("filters a text once, however often it is put into others")
    func nesting() {
        let inner: TerminalText = "line 1\nline \("\u{7}")"
        let outer: TerminalText = "\("\r")\(inner)\n"
        #expect(outer.text == "\\u{d}line 1\nline \\u{7}\n")
        #expect(("\(outer)" as TerminalText) == outer)
        #expect((inner + "\n" + inner).text == inner.text + "\n" + inner.text)
        var sum = inner
        sum += "\("\u{202e}")"
        #expect(sum.text == inner.text + "\\u{202e}")
        #expect(TerminalText.lines([inner, outer]).text == inner.text + "\n" + outer.text)
        #expect(TerminalText.joined([inner, "x"], separator: ", ").text == inner.text + ", x")
    }

    /// Of what is put into a text no line may begin, wherever a character of several begins or ends.
    @Test("filters scalars, not characters")
    func characters() {
        let text: TerminalText = "\("\r\n")\("\n\u{301}")\("e\u{1b}\u{301}")"
        #expect(text.text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7f })
        #expect(Array(text.text.utf8) == Array("\\u{d}\\u{a}\\u{a}\u{301}e\\u{1b}\u{301}".utf8))
    }
}
