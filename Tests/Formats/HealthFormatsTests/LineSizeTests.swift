import ByteText
import DocumentTesting
import ExportGenerator
import HealthFormats
import SampleBatches
import SystemIO
import Testing

@Suite("No line is longer than a context says beforehand")
struct LineSizeTests {
    private func generated(
        _ version: GeneratedExport.Options.DTDVersion, _ shape: GeneratedExport.Options.Shape
    ) -> [UInt8] {
        var document: [UInt8] = []
        let options = GeneratedExport.Options(seed: 5, xmlBytes: 60_000, shape: shape, dtdVersion: version)
        GeneratedExport(options).writeXML { chunk in
            for index in chunk.indices { document.append(chunk[index]) }
        }
        return document
    }

    /// Bytes that the lines of a batch have at most.
    ///
    /// None of its lines, written one by one or together, is longer than that of its context.
    private func check(_ batch: SampleBatch, _ comment: Comment) throws -> Int {
        var writer = NDJSONWriter()
        var together: [UInt8] = []
        writer.write(batch, to: &together)
        let lines = together.split(separator: UInt8(ascii: "\n"))
        try #require(lines.count == batch.count)
        let element = BatchContext.lineSize(ofElement: batch.key.element)
        var (number, sum) = (0, 0)
        batch.forEachBatchRow { row in
            let content = row.head.content == 0 ? 0 : batch.contents[row.head.content - 1].count
            let texts = batch.valuesSize(of: row)
            let most = batch.contexts[row.head.context].lineSize(texts: texts, content: content) + element
            #expect(lines[number].count + 1 <= most, comment)
            sum += most
            number += 1
        }
        var oneByOne: [UInt8] = []
        writer.writeOneByOne(batch, to: &oneByOne)
        #expect(together.count <= sum && oneByOne.count <= sum, comment)
        try checkReader(batch, together.count, sum)
        try checkPieces(batch, together)
        return sum
    }

    /// Pieces are whole lines, together all of them, and end with the line that reaches their size.
    private func checkPieces(_ batch: SampleBatch, _ lines: [UInt8]) throws {
        var writer = NDJSONWriter()
        for size in [1, 500, lines.count - 1, lines.count, lines.count + 1] {
            var (joined, last): ([UInt8], Int) = ([], .max)
            try writer.forEachPiece(of: batch, size: size) { piece in
                let end = piece.count - 1
                #expect(piece[end] == UInt8(ascii: "\n") && last >= size)
                let lineStart = (0..<end).last { piece[$0] == UInt8(ascii: "\n") }
                #expect(lineStart.map { $0 + 1 < size } ?? true)
                joined.append(copying: piece)
                last = piece.count
            }
            #expect(joined == lines)
        }
        var count = 0
        #expect(throws: Stopped.self) {
            try writer.forEachPiece(of: batch, size: 1) { _ in
                count += 1
                throw Stopped()
            }
        }
        #expect(count == 1)
    }

    private struct Stopped: Error {}

    /// A reader takes no batch whose lines are longer than they may be.
    private func checkReader(_ batch: SampleBatch, _ length: Int, _ most: Int) throws {
        var writer = StoredBatchWriter()
        let stored = writer.write(batch)
        var reader = StoredBatchReader()
        #expect(throws: FormatError(.tooLarge)) { try reader.read(stored, lines: length - 1) }
        // Each value has a comma, and each array two brackets.
        let room = 2 * most + 4 * stored.count
        #expect(try reader.read(stored, lines: room).count == batch.count)
    }

    @Test(
        "of generated exports, nor is it much shorter",
        arguments: GeneratedExport.Options.DTDVersion.allCases,
        GeneratedExport.Options.Shape.allCases)
    func generatedExports(
        _ version: GeneratedExport.Options.DTDVersion, _ shape: GeneratedExport.Options.Shape
    ) throws {
        var (most, length) = (0, 0)
        for batch in try BatchSink.batches(of: generated(version, shape)) {
            most += try check(batch, "\(batch.key)")
            var writer = NDJSONWriter()
            var lines: [UInt8] = []
            writer.write(batch, to: &lines)
            length += lines.count
        }
        #expect(most < 3 * length)
    }

    @Test("of adversarial documents", arguments: 0..<80)
    func adversarial(_ seed: Int) throws {
        for batch in try BatchSink.batches(of: AdversarialDocument(seed: UInt64(seed)).bytes) {
            _ = try check(batch, "\(batch.key)")
        }
    }

    static let long = String(repeating: "long", count: 500)
    static let control = String(repeating: "\u{1}", count: 500)

    /// What stands in a line once for each row, and in a stored batch only once, or in fewer bytes.
    @Test(
        "with long names and texts, and such as grow when they are written",
        arguments: [
            // The name of the element, an attribute, a shared text, a text of its own, and of nested elements.
            "<\(long) a=\"1\"/>", "<Record \(long)=\"1\"/>", "<Record type=\"\(long)\"/>",
            "<Record value=\"\(long)\"/>", "<Record><\(long)/></Record>",
            // The same with characters of one byte that take six as JSON.
            "<\(control) a=\"1\"/>", "<\(control) a=\"1\" a=\"2\"/>", "<Record \(control)=\"1\"/>",
            "<Record type=\"\(control)\"/>", "<Record value=\"\(control)\"/>",
            "<Record><\(control)/></Record>",
            // Names that make a row odd, so that it has everything twice.
            "<\(long) a=\"\(control)\" a=\"\(control)\"/>", "<\(control) element=\"\(long)\"/>",
            "<Record metadata=\"\(long)\" sourceName=\"\(control)\"/>",
            "<Record startDate=\"\(control)\" endDate=\"\(long)\"/>",
            "<Record startDate=\"2023-05-13T10:36:12+02:00\" unit=\"\(control)\"/>",
            "<Record startDate=\"2023-05-13 10:36:12 +0200\" startDate=\"2023-05-13 10:36:12 +0200\"/>",
            "<Record device=\"&lt;&lt;HKDevice: 0x1a&gt;, name:\(control)&gt;\" device=\"\(control)\"/>",
            // Many small ones.
            "<Record \((0..<300).map { "a\($0)=\"\"" }.joined(separator: " "))/>",
            "<Record \((0..<300).map { _ in "a=\"\"" }.joined(separator: " "))/>",
            "<Record \((0..<100).map { _ in "startDate=\"2023-05-13 10:36:12 +0200\"" }.joined(separator: " "))/>",
            "<Record \((0..<100).map { "element=\"\($0)\"" }.joined(separator: " "))/>",
        ])
    func growing(_ row: String) throws {
        let elements = (0..<5).map { row.replacing("1", with: "\($0)") }.joined(separator: "\n")
        for document in [document(elements), document(String(repeating: row + "\n", count: 5))] {
            for batch in try BatchSink.batches(of: document) { _ = try check(batch, "\(row.prefix(40))") }
        }
    }
}
