import Testing

@Suite("What is code in a source file")
struct SourceCodeTests {
    @Test(
        "a word in a comment or a string is no code",
        arguments: [
            "// word", "/// `word`", "/* word */ a", "/* /* */ word */", #""word""#, #""\"word""#,
            ##"#"" word"#"##,
            "\"\"\"\n\"word\"\n\"\"\"", #""\(a) word""#, ##"#"\(word)"#"##, "#/word\"/#", "swordfish",
            "word_", "äword",
        ])
    func blanked(text: String) {
        #expect(!SourceCode(text).contains("word"))
    }

    @Test(
        "a word between them is code",
        arguments: [
            "word", "word.a", "(word)", "// a\nword", "/* /* */ */ word", #""a" word"#, #""\\" + word"#,
            #""a \(word) b""#, #""a \(f("b", (word)))""#, ##"#"a \#(word)"#"##, #"@a("b") word"#,
            "\"\"\"\n\"a\\\"\"\"\n\"\"\" word", "#/\"/# word", "a / word", "#if word",
        ])
    func kept(text: String) {
        #expect(SourceCode(text).contains("word"))
    }

    @Test("blanks keep the length and the lines")
    func length() {
        let text = "a /* b\n*/ \"c\" // d\ne"
        #expect(String(decoding: SourceCode(text).bytes, as: UTF8.self) == "a     \n   \" \"     \ne")
    }

    @Test("in C an apostrophe encloses a character, and comments do not nest")
    func c() {
        #expect(SourceCode("char a = '\"'; word('\\'');", .c).contains("word", "("))
        #expect(SourceCode("/* /* */ word", .c).contains("word"))
        #expect(!SourceCode("char *a = \"word\\\"word\";", .c).contains("word"))
    }

    @Test("texts one behind the other are found, whatever space is between them")
    func sequences() {
        #expect(SourceCode("a( b :\n c )").contains("(", "b", ":", "c"))
        #expect(!SourceCode("a(b, c)").contains("(", "c"))
    }

    @Test("imports are found in all their forms")
    func imports() {
        let text = """
            import A
            public import B
            @testable import C
            import struct D.E
            @preconcurrency internal import F
            // import G
            let text = "import H"
            #if canImport(I)
            import class J.K
            #endif
            """
        #expect(SourceCode(text).imports == ["A", "B", "C", "D", "F", "J"])
    }
}
