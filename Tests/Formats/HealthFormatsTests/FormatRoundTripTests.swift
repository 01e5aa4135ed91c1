import DocumentTesting
import ExportGenerator
import HealthFormats
import SampleBatches
import SystemIO
import Testing

@Suite("Stored batches and NDJSON turn into each other exactly")
struct FormatRoundTripTests {
    private func check(_ batch: SampleBatch) throws {
        var columns = StoredBatchWriter()
        var lines = NDJSONWriter()
        let stored = columns.write(batch)
        var text: [UInt8] = []
        lines.write(batch, to: &text)

        var oneByOne: [UInt8] = []
        lines.writeOneByOne(batch, to: &oneByOne)
        #expect(oneByOne == text)

        var reader = StoredBatchReader()
        let fromStored = try reader.read(stored)
        #expect(columns.write(try reader.read(respelled(stored))) == stored)
        #expect(columns.write(fromStored) == stored)
        var again: [UInt8] = []
        lines.write(fromStored, to: &again)
        #expect(again == text)

        let fromLines = try NDJSONReader.read(text, key: batch.key)
        #expect(columns.write(fromLines) == stored)
        #expect(fromLines.identitySum() == batch.identitySum())
        #expect(fromStored.identitySum() == batch.identitySum())
        for text in [stored, respelled(stored)] {
            let identity = try reader.identity(of: text)
            #expect(identity.sum == batch.identitySum() && identity.key == batch.key)
        }
        #expect(try fromStored.census() == batch.census())
        #expect(try batch.census() == countedOneByOne(batch))
        #expect(fromStored.first == batch.first && fromStored.last == batch.last)
    }

    /// The same batch with spaces between the values, and strings that start with a letter spelled with an escape, so
    /// that it has to be read by the general rules.
    private func respelled(_ stored: [UInt8]) -> [UInt8] {
        // Contexts stand before the columns, contents after them.
        func place(_ member: String) -> Int {
            stored.indices.first { stored[$0...].starts(with: "\"\(member)\":".utf8) } ?? 0
        }
        let (start, end) = (place("context"), place("contents"))
        var respelled = Array(stored[..<start])
        var isInside = false
        var isEscaped = false
        for byte in stored[start..<end] {
            let opens = !isInside && byte == UInt8(ascii: "\"")
            if isInside, !isEscaped, respelled.last == UInt8(ascii: "\""), byte &- 0x61 < 26 {
                respelled += Array("\\u00".utf8) + Array(String(byte, radix: 16).utf8)
                continue
            }
            if isInside, byte == UInt8(ascii: "\""), !isEscaped { isInside = false }
            isEscaped = isInside && byte == UInt8(ascii: "\\") && !isEscaped
            if opens { isInside = true }
            respelled.append(byte)
            if !isInside, ",:[{".utf8.contains(byte) { respelled.append(UInt8(ascii: " ")) }
        }
        return respelled + stored[end...]
    }

    /// The census by the general way of counting, content by content.
    private func countedOneByOne(_ batch: SampleBatch) throws -> [ExactName: Int] {
        var counts = [ExactName(batch.key.element): batch.count]
        var contents: [Int] = []
        batch.forEachRow { row in
            contents.append(row.content)
        } value: { _, _, _, _ in
        } endRow: { _ in
        }
        for content in contents where content > 0 {
            let json = batch.contents[content - 1]
            try ContentCensus.add(json, in: batch.key.element, times: 1, to: &counts)
        }
        return counts
    }

    @Test("of generated exports", arguments: GeneratedExport.Options.DTDVersion.allCases)
    func generated(_ version: GeneratedExport.Options.DTDVersion) throws {
        var document: [UInt8] = []
        GeneratedExport(GeneratedExport.Options(seed: 11, xmlBytes: 60_000, dtdVersion: version))
            .writeXML { chunk in for index in chunk.indices { document.append(chunk[index]) } }
        for batch in try BatchSink.batches(of: document) { try check(batch) }
    }

    @Test("of adversarial documents", arguments: 0..<60)
    func adversarial(_ seed: Int) throws {
        for batch in try BatchSink.batches(of: AdversarialDocument(seed: UInt64(seed)).bytes) {
            try check(batch)
        }
    }
}
