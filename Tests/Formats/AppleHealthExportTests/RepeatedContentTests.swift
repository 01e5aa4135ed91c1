import AppleHealthExport
import CivilTime
import DocumentTesting
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

    @Test(
        "stays with its row where there are more than a block has room for", arguments: [1, 2, 7, 8, 9, 30])
    func many(_ kinds: Int) throws {
        let rows = (0..<300).map { row in
            row % 5 == 4 ? "/>" : "><a k=\"\(row * row % kinds)\"/></Record>"
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
        "comes with each row, however long it is and whatever is between", arguments: lengths, [true, false])
    func everyRow(_ count: Int, _ usesTemplates: Bool) throws {
        let long = ">" + String(repeating: "<a/><b/>", count: count) + "</Record>"
        let plain = ">" + String(repeating: "<a k=\"\"/>", count: count) + "</Record>"
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
}
