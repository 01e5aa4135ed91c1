import AppleHealthExport
import DocumentTesting
import Testing

@Suite("What Apple or others write wrong is kept and counted")
struct ToleranceTests {
    private func record(_ attributes: String, _ content: String = "") -> [UInt8] {
        document("<Record type=\"T\" \(attributes)" + (content.isEmpty ? "/>" : ">\(content)</Record>"))
    }

    private func batch(_ bytes: [UInt8]) throws -> String {
        try #require(try Reading(bytes).batches.first { $0.contains("\"element\":\"Record\"") })
    }

    @Test("a vertical tab in an attribute")
    func controlCharacter() throws {
        let bytes = record("value=\"a\u{b}b\"")
        #expect(try batch(bytes).contains(#""value":["a\u000bb"]"#))
        #expect(try Reading(bytes).oddities.controlCharacters == 1)
    }

    @Test("NUL in an attribute")
    func nul() throws {
        #expect(try batch(record("value=\"a\u{0}b\"")).contains(#"["a\u0000b"]"#))
    }

    @Test("an attribute given twice")
    func duplicateAttribute() throws {
        let bytes = record("value=\"1\" value=\"2\"")
        #expect(try batch(bytes).contains(#"[["type","T"],["value"],["value"]]"#))
        #expect(try batch(bytes).contains(#""columns":{"value":[1,2]}"#))
        #expect(try Reading(bytes).oddities.duplicateAttributes == 1)
    }

    @Test("references, defined ones resolved and others kept")
    func references() throws {
        let bytes = record("value=\"&lt;&#65;&#x42;&amp;&quot;&apos;&gt;&foo;&\"")
        #expect(try batch(bytes).contains(#""<AB&\"'>&foo;&""#))
        #expect(try Reading(bytes).oddities.undefinedReferences == 2)
    }

    @Test("white space in attributes as XML normalises it")
    func attributeWhiteSpace() throws {
        #expect(try batch(record("value=\"a\tb\nc\r\nd&#10;e\"")).contains(#""a b c d\ne""#))
    }

    @Test("bytes that are no UTF-8")
    func malformedUTF8() throws {
        var bytes = record("value=\"a?b\"")
        let place = try #require(bytes.lastIndex(of: UInt8(ascii: "?")))
        bytes[place] = 0xe9
        #expect(try batch(bytes).contains(#""a\udce9b""#))
        #expect(try Reading(bytes).oddities.malformedBytes == 1)
    }

    @Test("single quotes, and spaces around the equals sign")
    func quoting() throws {
        #expect(try batch(record("value = 'say \"x\"'")).contains(#""say \"x\"""#))
    }

    @Test("unknown elements, nested and not")
    func unknownElements() throws {
        let bytes = document("<Novelty a=\"1\"><Inner b=\"2\">text</Inner></Novelty>")
        let reading = try Reading(bytes)
        #expect(reading.counts["Novelty"] == 1)
        #expect(reading.counts["Novelty/Inner"] == 1)
        #expect(
            reading.batches.contains { $0.contains(#"{"Inner":[{"b":"2","children":[{"text":"text"}]}]}"#) })
    }

    @Test("text, comments and CDATA between nested elements")
    func mixedContent() throws {
        let bytes = record("value=\"1\"", "x<!-- no --><MetadataEntry key=\"k\" value=\"v\"/><![CDATA[<&]]>")
        let wanted =
            #"{"children":[{"text":"x"},{"element":"MetadataEntry","key":"k","value":"v"},{"text":"<&"}]}"#
        #expect(try batch(bytes).contains(wanted))
    }

    @Test("comments in elements with nothing else in them", arguments: [1, 3])
    func commentsAlone(_ count: Int) throws {
        let record = "<Record type=\"T\"> <!-- no --> <?nor this?></Record>\n"
        let bytes = document(String(repeating: record, count: count))
        let reading = try Reading(bytes)
        #expect(reading.oddities.droppedComments == count && reading.oddities.droppedInstructions == count)
        #expect(try reading == Reading(bytes, usesTemplates: false))
        #expect(reading.counts["Record"] == count)
    }

    @Test("stray bytes between document type and root, as the exports of iOS 16 have them")
    func strayProlog() throws {
        let bytes = Array(
            "<!DOCTYPE HealthData [\n<!ATTLIST X\n a CDATA\n<!ELEMENT Y EMPTY>\n>\n]>\n>\n<HealthData/>".utf8)
        #expect(try Reading(bytes).counts == ["HealthData": 1])
    }

    @Test("a byte order mark")
    func byteOrderMark() throws {
        #expect(try Reading([0xef, 0xbb, 0xbf] + document("")).counts == ["HealthData": 1])
    }

    @Test("an end tag with white space")
    func spacedEndTag() throws {
        #expect(try Reading(document("<Record type=\"T\"></Record \n>")).counts["Record"] == 1)
    }

    @Test("a value that is a time only in some rows")
    func sometimesTimes() throws {
        let bytes = document(
            (0..<20).map { row in
                row % 3 == 0
                    ? "<Record type=\"T\" startDate=\"2023-05-13 10:36:12 +0200\"/>"
                    : row % 3 == 1
                        ? "<Record type=\"T\" startDate=\"yesterday\"/>"
                        : "<Record type=\"T\" startDate=\"2023-05-13 10:36:12 -0330\"/>"
            }.joined(separator: "\n"))
        #expect(try Reading(bytes) == Reading(bytes, usesTemplates: false))
    }
}
