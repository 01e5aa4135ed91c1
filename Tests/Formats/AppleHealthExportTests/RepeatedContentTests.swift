import AppleHealthExport
import ByteText
import DocumentTesting
import ExportGenerator
import SampleBatches
import SystemIO
import Testing

@Suite("A content that repeats")
struct RepeatedContentTests {
    /// Keeps the content of each row.
    private struct ContentSink: RowSink {
        var contents: [[UInt8]?] = []

        mutating func append(
            _ kind: RowKind, content: RowContent?, position: Int, start: Timestamp?, cells: Span<Int>,
            text: Span<UInt8>, size: Int
        ) {
            if position > 0 { contents.append(content?.json) }
        }
    }

    private func contents(_ rows: [String], usesTemplates: Bool = true) throws -> [[UInt8]?] {
        let bytes = document(rows.map { "<Record type=\"t\" value=\"1\"\($0)" }.joined(separator: "\n"))
        var reader = DocumentReader(
            MemoryStream(bytes), name: "document", windowSize: 1 << 18, usesTemplates: usesTemplates)
        var sink = ContentSink()
        while try reader.advance(into: &sink) {}
        return sink.contents
    }

    /// The name of an element that is read by its shape, and of one that only the general parser reads.
    private static let names = ["A", "a"]

    @Test(
        "stays with its row where there are more than a block has room for", arguments: [1, 2, 7, 8, 9, 30],
        names)
    func many(_ kinds: Int, _ name: String) throws {
        let rows = (0..<300).map { row in
            row % 5 == 4 ? "/>" : "><\(name) k=\"\(row * row % kinds)\"/></Record>"
        }
        var alone: [String: [UInt8]?] = [:]
        for row in Set(rows) { alone[row] = try contents([row])[0] }
        let expected = rows.map { alone[$0] ?? nil }
        #expect(Set(expected).count == Set(rows).count && Set(rows).count > 1)
        #expect(try contents(rows) == expected)
        #expect(try contents(rows, usesTemplates: false) == expected)
    }

    /// Contents around the length up to which they are kept, as XML and as JSON, which is longer where elements alternate.
    private static let lengths = Array(20...30) + Array(78...90) + [200]

    @Test(
        "comes with each row, however long it is and whatever is between", arguments: lengths,
        [("A", true), ("a", true), ("A", false)])
    func everyRow(_ count: Int, _ way: (name: String, usesTemplates: Bool)) throws {
        let (name, usesTemplates) = way
        let long = ">" + String(repeating: "<\(name)/><b/>", count: count) + "</Record>"
        let plain = ">" + String(repeating: "<\(name) k=\"\"/>", count: count) + "</Record>"
        let short = "><c/></Record>"
        let none = "/>"
        for rows in [
            [long, long], [long, long, long, short, long, none, long], [short, long, long, none, none, long],
            [plain, long, plain, long, long, none, plain], [none, long, none, long],
            [long, short, plain, none, long, short, plain, long, long],
        ] {
            let alone = try rows.map { try contents([$0], usesTemplates: usesTemplates)[0] }
            #expect(alone.map { $0 == nil } == rows.map { $0 == none })
            #expect(try contents(rows, usesTemplates: usesTemplates) == alone)
        }
    }

    @Test("is the same, however it is spelled, and none is taken for that of another element")
    func spellings() throws {
        let spelled = [
            "><A k=\"1 &amp; 2\"/><A k=\"3\"/></Record>",
            ">\n <A k=\"1 &#38; 2\" />\n <A\tk=\"3\"/>\n</Record >",
            "><A k='1 &amp; 2'/><A k=\"3\"></A></Record>",
            "><A k=\"1 &#x26; 2\"></A ><A k=\"3\"/></Record\n>",
        ]
        let other = "><A k=\"1 &amp; 2\"/><A k=\"4\"/></Record>"
        // Longer as JSON than the contents that are kept, though not as XML.
        let grown = "><A k=\"\(String(repeating: "\\", count: 900))\"/></Record>"
        var rows: [String] = []
        for round in 0..<6 { rows += spelled + (round % 2 == 0 ? [other, grown] : ["/>", grown, grown]) }
        let alone = try rows.map { try contents([$0], usesTemplates: false)[0] }
        #expect(Set(alone).count == 4)
        #expect(try contents(rows) == alone)
        let bytes = document(rows.map { "<Record type=\"t\" value=\"1\"\($0)" }.joined())
        #expect(try Reading(bytes) == Reading(bytes, usesTemplates: false))
    }

    @Test("may consist of elements that are alike or nearly so", arguments: 0..<8)
    func siblings(_ seed: Int) throws {
        var random = SplitMix64(seed: UInt64(seed))
        let values = [
            "", "1", "62", "7:47:41,86\u{202f}AM", "a &amp; b", "\\", "ü", "x\ty",
            "2020-01-01 10:00:00 +0100",
        ]
        for _ in 0..<40 {
            var content = ""
            for _ in 0..<random.below(12) {
                let name = random.below(8) == 0 ? "Other" : "InstantaneousBeatsPerMinute"
                var attributes = ["bpm", "time", "startDate"].prefix(
                    random.pick(from: [2, 2, 2, 2, 3, 1, 0])
                ).map {
                    "\($0)=\"\(random.pick(from: values))\""
                }
                if random.below(8) == 0 { attributes.reverse() }
                if random.below(12) == 0 { attributes.append("unknown=\"1\"") }
                let space = random.below(8) == 0 ? "  " : " "
                let end = random.pick(from: ["/>", "/>", "/>", "/>", "></\(name)>", " />", "><b/></\(name)>"])
                content += "\n <" + ([name] + attributes).joined(separator: space) + end
            }
            let rows = [">" + content + "</Record>", ">" + content + content + "</Record>"]
            let bytes = document(rows.map { "<Record type=\"t\" value=\"1\"\($0)" }.joined())
            #expect(try Reading(bytes) == Reading(bytes, usesTemplates: false))
        }
    }

    @Test(
        "has no more parts than it may, whoever reads it", arguments: [true, false],
        ["A", "a", "MetadataEntry"])
    func parts(_ usesTemplates: Bool, _ name: String) throws {
        // A start tag counts twice, for itself and for what is before it.
        for (one, parts) in [("<\(name)/>", 2), ("<\(name) k=\"\"/>", 3)] {
            let most = (1 << 17) / parts
            for (count, fits) in [(most, true), (most + 1, false)] {
                let row = ">" + String(repeating: one, count: count) + "</Record>"
                let found = try? contents([row], usesTemplates: usesTemplates)
                #expect((found != nil) == fits, "\(count)")
            }
        }
    }

    @Test("may say what a record starts with, but not end so", arguments: [true, false])
    func recordInText(_ usesTemplates: Bool) throws {
        for (value, fits) in [
            ("my Record type=x", true), ("Record type=", true), ("lost Record type=", false),
        ] {
            let row = "><A k=\"\(value)\"/></Record>"
            #expect(((try? contents([row], usesTemplates: usesTemplates)) != nil) == fits, "\(value)")
        }
    }
}
