import ByteText
import ExportGenerator
import HealthFormats
import SampleBatches
import SystemIO
import Testing

@testable import AppleHealthExport

@Suite("Rows are collected into the same batches")
struct BatchCollectorTests {
    /// The batches of a document, and the order in which they were closed.
    private func batches(
        _ document: [UInt8], _ options: BatchOptions, memory: Int, usesCurrent: Bool = true,
        windowSize: Int = 1 << 18
    ) throws -> [String] {
        var reader = DocumentReader(
            MemoryStream(document), name: "document", windowSize: windowSize, usesTemplates: true)
        var collector = BatchCollector(options: options, memory: memory, usesCurrent: usesCurrent)
        var closed: [ClosedBatch] = []
        while try reader.advance(into: &collector) { closed += collector.removeClosed() }
        closed += collector.removeClosed()
        while collector.closeNext() { closed += collector.removeClosed() }
        var (writer, stored) = (StoredBatchWriter(), StoredBatchReader())
        return try closed.map { batch in
            let columns = batch.columns
            let range = "\(String(describing: columns.first)) \(String(describing: columns.last))"
            let samples = try columns.samples()
            let text = writer.write(columns)
            #expect(writer.write(samples) == text)
            #expect(columns.identity == samples.identitySum())
            #expect(try stored.identity(of: text).sum == columns.identity)
            #expect(columns.recordedZones() == samples.recordedZones())
            return "\(batch.rowSize) \(range) \(String(decoding: text, as: UTF8.self))"
        }
    }

    @Test(
        "whether or not they are like the row before", arguments: GeneratedExport.Options.Shape.allCases,
        ["auto", "1day", "all,3000,4KiB", "2weeks,7"])
    func current(_ shape: GeneratedExport.Options.Shape, _ words: String) throws {
        var document: [UInt8] = []
        GeneratedExport(GeneratedExport.Options(seed: 21, xmlBytes: 200_000, shape: shape))
            .writeXML { chunk in for index in chunk.indices { document.append(chunk[index]) } }
        let options = try #require(BatchOptions(parsing: words))
        for memory in [1 << 16, 1 << 23] {
            let fast = try batches(document, options, memory: memory, usesCurrent: true)
            #expect(try fast == batches(document, options, memory: memory, usesCurrent: false))
        }
    }

    @Test("with each content once, however it is spelled, and whether or not it was forgotten meanwhile")
    func contents() throws {
        func entry(_ value: String) -> String { "<MetadataEntry key=\"k\" value=\"\(value)\"/>" }
        let comments = ["", "<!-- 1 -->", "<!-- 2 -->"]
        let spellings = comments.map { $0 + entry("A") } + comments.prefix(2).map { $0 + entry("B") }
        let long = entry(String(repeating: "l", count: 600))
        let spelled = (0..<100).map { spellings[$0 * 7 % 5] + ($0 < 40 ? "" : long) }
        // Six contents come twice, and then never again: some of them are forgotten because of another one.
        let forgotten = (0..<20_000).map { entry(String($0 / 12 * 6 + $0 % 6)) }
        let head = "Record type=\"T\" startDate=\"2023-05-13 10:36:12 +0200\" value=\"1\""
        let cases = [(spelled, "all", 4), (spelled, "all,3,4KiB", 4), (forgotten, "all", 10_002)]
        for (contents, words, count) in cases {
            let rows = contents.map { "<\(head)>\($0)</Record>" }
            let document = Array("<HealthData>\(rows.joined())</HealthData>".utf8)
            let options = try #require(BatchOptions(parsing: words))
            let fast = try batches(document, options, memory: 1 << 23)
            #expect(try fast == batches(document, options, memory: 1 << 23, usesCurrent: false))
            var reader = DocumentReader(MemoryStream(document), name: "document")
            var collector = BatchCollector(options: BatchOptions(span: .every(.all), byteLimit: 1 << 24))
            while try reader.advance(into: &collector) {}
            while collector.closeNext() {}
            let batch = try #require(collector.removeClosed().first { $0.columns.count == contents.count })
            #expect(batch.columns.contents.count == count)
        }
    }

    @Test("in the same order, however much of a document is examined at a time")
    func windows() throws {
        func row(_ type: String, day: Int, _ text: String) -> [UInt8] {
            let date = "2023-\(day < 90 ? "0" : "")\(day / 10 + 1)-1\(day % 10) 10:36:12 +0200"
            return Array("<Record type=\"\(type)\" startDate=\"\(date)\" value=\"\(text)\"/>".utf8)
        }
        // A type of many batches ends, while another one fills batch after batch.
        var document = Array("<HealthData>".utf8)
        let text = String(repeating: "long ", count: 200)
        for number in 0..<2000 { document += row("ends", day: number % 120, text) }
        let others = row("goes on", day: 7, "1")
        for _ in 0..<150_000 { document += others }
        document += Array("</HealthData>".utf8)
        let options = try #require(BatchOptions(parsing: "1day,250"))
        let expected = try batches(document, options, memory: 1 << 23)
        #expect(expected.count > 700)
        for windowSize in [1 << 15, 200_000, 1 << 22] {
            #expect(try batches(document, options, memory: 1 << 23, windowSize: windowSize) == expected)
        }
    }

    @Test("which are all closed when kinds are forgotten")
    func closedWhenForgotten() throws {
        let rows = (0..<12).map { "<Record type=\"\($0)\" value=\"1\"/>" }
        let document = Array("<HealthData>\(rows.joined())</HealthData>".utf8)
        var reader = DocumentReader(MemoryStream(document), name: "document")
        var collector = BatchCollector(options: BatchOptions(span: .every(.all)))
        while try reader.advance(into: &collector) {}
        #expect(collector.removeClosed().isEmpty)
        collector.forgetKinds()
        // Those of the types, and that of the root element.
        #expect(collector.removeClosed().count == 13)
        let isLeft = collector.closeNext()
        #expect(!isLeft)
    }

    @Test("with each context once, also if its kind was forgotten meanwhile")
    func forgotten() throws {
        // Units that differ early, so that no two kinds have templates side by side.
        func row(_ type: String, _ unit: Int) -> [UInt8] {
            Array("<Record unit=\"\(unit)\(String(repeating: "u", count: 60))\" type=\"\(type)\"/>".utf8)
        }
        var document = Array("<HealthData>".utf8) + row("few", 1)
        for unit in 0..<4 {
            let others = row("many", unit)
            for number in 0..<140_000 { document += number % 50_000 == 0 ? row("few", 2) : others }
        }
        document += row("few", 1) + row("few", 2) + row("few", 1) + Array("</HealthData>".utf8)
        var reader = DocumentReader(MemoryStream(document), name: "document")
        let options = try #require(BatchOptions(parsing: "all"))
        var collector = BatchCollector(options: options, memory: 1 << 26)
        var closed: [ClosedBatch] = []
        while try reader.advance(into: &collector) { closed += collector.removeClosed() }
        while collector.closeNext() { closed += collector.removeClosed() }
        let batches = try closed.map { try $0.columns.samples() }
        #expect(batches.filter { $0.key.type == "few" }.map { [$0.count, $0.contexts.count] } == [[16, 2]])
        let others = batches.filter { $0.key.type == "many" }
        #expect(others.reduce(0) { $0 + $1.count } == 559_988)
        #expect(others.allSatisfy { Set($0.contexts.map(\.json)).count == $0.contexts.count })
    }
}

@Suite("Columns count for the memory of open batches")
struct ColumnMemoryTests {
    @Test(
        "whether one kind of rows brings them or several", arguments: [(1, 256), (4, 64), (4, 16), (1, 64)])
    func columns(_ kinds: Int, _ columns: Int) throws {
        var rows = ""
        for month in 0..<400 {
            let start = "\(1900 + month / 12)-\(month % 12 < 9 ? "0" : "")\(month % 12 + 1)-02 10:00:00 +0000"
            for kind in 0..<kinds {
                let names = (0..<columns).map { "a\(kind)_\($0)=\"\"" }.joined(separator: " ")
                rows += "<Record type=\"T\" startDate=\"\(start)\" \(names)/>\n"
            }
        }
        let document = Array("<HealthData>\n\(rows)</HealthData>\n".utf8)
        var reader = DocumentReader(MemoryStream(document), name: "document")
        var collector = BatchCollector(options: BatchOptions(span: .every(.months(1))))
        var closed: [ClosedBatch] = []
        while try reader.advance(into: &collector) { closed += collector.removeClosed() }
        let early = closed.count
        while collector.closeNext() { closed += collector.removeClosed() }
        closed += collector.removeClosed()
        #expect(closed.map(\.columns.count).reduce(0, +) == 400 * kinds + 1)
        #expect((early > 0) == (kinds * columns > 64))
    }
}

@Suite("Rows are collected into batches that are small as lines")
struct BatchLineLimitTests {
    fileprivate static let length = 1 << 20

    /// Rows of few bytes each, that have a long text or name in common, and one more of another kind.
    private func document(_ row: String, count: Int) -> [UInt8] {
        let other = "<Record type=\"T\" startDate=\"2023-05-13 10:36:12 +0200\" value=\"1\"/>\n"
        let rows = String(repeating: row + "\n", count: count)
        return Array("<HealthData>\n\(other)\(rows)\(other)</HealthData>\n".utf8)
    }

    private func batches(_ document: [UInt8], usesCurrent: Bool) throws -> [SampleBatch] {
        var reader = DocumentReader(MemoryStream(document), name: "document")
        var collector = BatchCollector(
            options: BatchOptions(span: .every(.all), byteLimit: BatchOptions.largestByteLimit),
            usesCurrent: usesCurrent)
        var closed: [ClosedBatch] = []
        while try reader.advance(into: &collector) { closed += collector.removeClosed() }
        closed += collector.removeClosed()
        while collector.closeNext() { closed += collector.removeClosed() }
        return try closed.map { try $0.columns.samples() }
    }

    /// What rows have in common.
    enum Shared: CaseIterable {
        case text
        case content
        case attributeName
        case elementName

        var row: String {
            let long = String(repeating: "n", count: BatchLineLimitTests.length)
            let start = "startDate=\"2023-05-13 10:36:12 +0200\""
            return switch self {
            case .text: "<Record type=\"T\" sourceName=\"\(long)\" \(start) value=\"1\"/>"
            case .content: "<Record type=\"T\" \(start) value=\"1\"><a b=\"\(long)\"/></Record>"
            case .attributeName: "<Record type=\"T\" \(start) \(long)=\"1\"/>"
            case .elementName: "<\(long) \(start) value=\"1\"/>"
            }
        }
    }

    @Test(
        "whatever it is that all of their rows have in common", arguments: Shared.allCases, [true, false])
    func sharedTexts(_ shared: Shared, _ usesCurrent: Bool) throws {
        let row = shared.row
        let batches = try batches(document(row, count: 70), usesCurrent: usesCurrent)
        // The document itself is a row, and one stands before them and one behind.
        #expect(batches.map(\.count).reduce(0, +) == 73)
        let most = BatchOptions.lineLimit / Self.length
        var columns = StoredBatchWriter()
        var (writer, reader) = (NDJSONWriter(), StoredBatchReader())
        for batch in batches {
            var lines: [UInt8] = []
            writer.write(batch, to: &lines)
            #expect(lines.count <= BatchOptions.lineLimit && batch.count <= most + 2)
            #expect(try reader.read(columns.write(batch)).count == batch.count)
        }
        // And not smaller than they have to be.
        if shared != .content { #expect(batches.contains { $0.count >= most - 2 } && batches.count <= 6) }
    }

    @Test("also when they are regrouped, from batches that are")
    func regrouped() throws {
        let parts = try batches(document(Shared.text.row, count: 70), usesCurrent: true)
            .filter { $0.key.element == "Record" }
        var regrouping = BatchRegrouping(BatchOptions(span: .every(.all))) { _ in
            true
        } keep: {
            $0
        }
        try regrouping.begin(element: "Record", type: "T")
        for part in parts { try regrouping.append(part, lowest: part.first) }
        try regrouping.finish()
        let batches = regrouping.removeReady().map { part in
            switch part {
            case .batch(let batch), .waiting(let batch): batch
            }
        }
        #expect(batches.map(\.count).reduce(0, +) == 72)
        var writer = NDJSONWriter()
        for batch in batches {
            var lines: [UInt8] = []
            writer.write(batch, to: &lines)
            #expect(lines.count <= BatchOptions.lineLimit)
        }
    }

    @Test("of which one may be larger, where a single row is")
    func giant() throws {
        // As JSON each of these characters has six bytes, and an odd row has them twice.
        let text = String(repeating: "\u{1}", count: 3_500_000)
        let row = "<Record type=\"T\" startDate=\"2023-05-13 10:36:12 +0200\" value=\"\(text)\" value=\"1\"/>"
        let batches = try batches(document(row, count: 2), usesCurrent: true)
        #expect(batches.map(\.count).reduce(0, +) == 5)
        var columns = StoredBatchWriter()
        var reader = StoredBatchReader()
        for batch in batches { #expect(try reader.read(columns.write(batch)).count == batch.count) }
    }
}
