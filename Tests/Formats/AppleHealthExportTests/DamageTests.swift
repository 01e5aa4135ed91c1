import AppleHealthExport
import ByteText
import SampleBatches
import SystemIO
import Testing

@Suite("What cannot be read is skipped, up to the next element")
struct DamageTests {
    /// The rows of a document as texts, each with its values and content.
    private struct RowTexts: RowSink {
        var rows: [String] = []

        mutating func append(
            _ kind: RowKind, content: RowContent?, position: Int, start: Timestamp?, cells: Span<Int>,
            text: Span<UInt8>, size: Int
        ) {
            var bytes = Array(kind.element.utf8)
            for (column, index) in zip(kind.context.columns, cells.indices) {
                let cell = cells[index]
                guard !column.isTime else {
                    bytes += Array(" \(cell)".utf8)
                    continue
                }
                for place in TokenPlace(code: cell & .max).range { bytes.append(text[place]) }
            }
            rows.append(String(decoding: bytes + (content?.json ?? []), as: UTF8.self))
        }
    }

    private struct Result: Equatable {
        var rows: [String]
        var skipped: [Range<Int>]
        var isTruncated: Bool
    }

    private func read(_ bytes: [UInt8], windowSize: Int = 1 << 18, piece: Int = 1 << 20) throws -> Result {
        var reader = DocumentReader(
            MemoryStream(bytes, piece: piece), name: "document", windowSize: windowSize, usesTemplates: true,
            acceptsDamage: true)
        var sink = RowTexts()
        while try reader.advance(into: &sink) {}
        return Result(rows: sink.rows, skipped: reader.skipped, isTruncated: reader.isTruncated)
    }

    /// The same with windows that another task fills.
    private func readAhead(_ bytes: [UInt8], windowSize: Int) async throws -> Result {
        var reader = DocumentReader(
            MemoryStream(bytes), name: "document", windowSize: windowSize, usesTemplates: true,
            acceptsDamage: true)
        var sink = RowTexts()
        let processors = Processors(count: 1)
        while try await reader.advance(into: &sink, readingAheadOn: processors) {}
        return Result(rows: sink.rows, skipped: reader.skipped, isTruncated: reader.isTruncated)
    }

    @Test("whether or not the document is read ahead", arguments: [1, 700, 40_000, 50_000])
    func ahead(windowSize: Int) async throws {
        let (bytes, ranges) = elements(1500)
        // Always the same bytes.
        var state: UInt64 = 5
        func next(_ limit: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % limit
        }
        for round in 0..<40 {
            var damaged = bytes
            // Some of what is damaged is longer than a window.
            if round % 4 == 0 {
                let long = String(repeating: "  <MetadataEntry key=\"k\" value=\"v\"/>\n", count: 2000)
                damaged.insert(
                    contentsOf: Array(" <Workout>\n\(long) </Workout>\n".utf8), at: ranges[700].lowerBound)
            }
            for _ in 0..<20 {
                damaged[next(damaged.count - 100) + 60] ^= UInt8(1 << next(8))
            }
            let expected = try read(damaged, windowSize: windowSize)
            #expect(try await readAhead(damaged, windowSize: windowSize) == expected)
        }
    }

    /// An element that no other one is like, on as many lines as Apple writes.
    private func element(_ number: Int) -> String {
        switch number % 4 {
        case 0:
            """
             <Workout workoutActivityType="Run" duration="\(number)">
              <MetadataEntry key="a" value="\(number)"/>
              <WorkoutEvent type="x" date="2025-01-01 00:00:00 +0100"/>
             </Workout>

            """
        case 1:
            " <Record type=\"A\" value=\"\(number)\">\n  <MetadataEntry key=\"k\" value=\"v\"/>\n </Record>\n"
        default:
            " <Record type=\"B\" unit=\"count\" startDate=\"2025-01-01 00:00:00 +0100\" value=\"\(number)\"/>\n"
        }
    }

    /// The elements of a document, and the range of each.
    private func elements(_ count: Int) -> (bytes: [UInt8], ranges: [Range<Int>]) {
        var bytes = Array("<?xml version=\"1.0\"?>\n<HealthData locale=\"en_US\">\n".utf8)
        var ranges: [Range<Int>] = []
        for number in 0..<count {
            let text = Array(element(number).utf8)
            ranges.append(bytes.count..<(bytes.count + text.count))
            bytes += text
        }
        return (bytes + Array("</HealthData>\n".utf8), ranges)
    }

    /// All elements but the damaged one are read, and only the damaged one is skipped.
    private func expectRest(
        of whole: [String], without number: Int, _ ranges: [Range<Int>], _ found: Result, _ comment: Comment
    ) {
        var missing = whole
        missing.remove(at: number + 1)
        for row in found.rows { if let index = missing.firstIndex(of: row) { missing.remove(at: index) } }
        #expect(missing.isEmpty, comment)
        for range in found.skipped {
            #expect(range.lowerBound >= ranges[number].lowerBound - 1, comment)
            #expect(range.upperBound <= ranges[number].upperBound + 1, comment)
        }
    }

    @Test(
        "whichever byte is another one, or is missing",
        arguments: ["<", ">", "\"", "\0", "/", " ", "?", "!", ""])
    func everyByte(_ replacement: String) throws {
        let (bytes, ranges) = elements(9)
        let whole = try read(bytes)
        #expect(whole.rows.count == 10 && whole.skipped.isEmpty && !whole.isTruncated)
        for (number, range) in ranges.enumerated() {
            for place in range {
                var damaged = bytes
                damaged.replaceSubrange(place...place, with: Array(replacement.utf8))
                expectRest(
                    of: whole.rows, without: number, ranges, try read(damaged),
                    "\(replacement) at byte \(place)")
            }
        }
    }

    @Test("wherever windows and pieces end")
    func windows() throws {
        let (bytes, ranges) = elements(1200)
        let whole = try read(bytes)
        for number in stride(from: 1, to: 1200, by: 61) {
            var damaged = bytes
            // The opening quote of the first attribute.
            let place = try #require(damaged[ranges[number]].firstIndex(of: UInt8(ascii: "\"")))
            damaged.remove(at: place)
            for (windowSize, piece) in [(1 << 18, 1 << 20), (1 << 15, 1 << 20), (1 << 15, 997)] {
                let found = try read(damaged, windowSize: windowSize, piece: piece)
                expectRest(of: whole.rows, without: number, ranges, found, "element \(number), \(windowSize)")
                #expect(found.skipped.count == 1)
            }
        }
    }

    @Test("an element without an end, however much follows it")
    func endless() throws {
        // More than the longest element.
        let (bytes, ranges) = elements(45_000)
        #expect(bytes.count > DocumentReader.longestElement)
        let whole = try read(bytes)
        var damaged = bytes
        let number = 40
        let mark = Array(" </Workout>\n".utf8)
        damaged.removeSubrange((ranges[number].upperBound - mark.count)..<ranges[number].upperBound)
        let found = try read(damaged)
        #expect(found.rows.count == whole.rows.count - 1)
        #expect(found.skipped.map(\.lowerBound) == [ranges[number].lowerBound + 1])
    }

    @Test("the end, wherever the document is cut")
    func cuts() throws {
        let (bytes, ranges) = elements(9)
        let whole = try read(bytes)
        for length in ranges[0].lowerBound..<(bytes.count - 1) {
            let found = try read(Array(bytes[..<length]))
            #expect(found.isTruncated, "\(length) bytes")
            let complete = ranges.count { $0.upperBound <= length + 1 }
            #expect(found.rows.starts(with: whole.rows.prefix(complete + 1)), "\(length) bytes")
        }
    }

    @Test("what follows the end of the document")
    func after() throws {
        let (bytes, _) = elements(9)
        let found = try read(bytes + Array("<more".utf8))
        #expect(found.rows == (try read(bytes)).rows)
        #expect(found.skipped.map(\.upperBound) == [bytes.count + 5])
    }

    @Test("but not what is no document")
    func none() {
        for text in ["", "<html/>", "<?xml version=\"1.0\"?>"] {
            #expect(throws: ExportError.self) { try read(Array(text.utf8)) }
        }
    }
}
