import AppleHealthExport
import ExportGenerator
import HealthFormats
import HealthModel
import Testing

@Suite("Stored batches and NDJSON turn into each other exactly")
struct FormatRoundTripTests {
    private func batches(_ document: [UInt8]) throws -> [SampleBatch] {
        var reader = DocumentReader(MemoryStream(document), name: "document")
        var sink = BatchSink()
        while try reader.advance(into: &sink) {}
        return sink.batches
    }

    private func check(_ batch: SampleBatch) throws {
        var columns = StoredBatchWriter()
        var lines = NDJSONWriter()
        let stored = columns.write(batch)
        var text: [UInt8] = []
        lines.write(batch, to: &text)

        let fromStored = try StoredBatchReader.read(stored)
        #expect(columns.write(fromStored) == stored)
        var again: [UInt8] = []
        lines.write(fromStored, to: &again)
        #expect(again == text)

        let fromLines = try NDJSONReader.read(text, key: batch.key)
        #expect(columns.write(fromLines) == stored)
        #expect(fromLines.identitySum() == batch.identitySum())
        #expect(fromStored.identitySum() == batch.identitySum())
        #expect(try fromStored.census() == batch.census())
        #expect(try batch.census() == countedOneByOne(batch))
        #expect(fromStored.first == batch.first && fromStored.last == batch.last)
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

    @Test("of generated exports", arguments: GeneratedExport.DTDVersion.allCases)
    func generated(_ version: GeneratedExport.DTDVersion) throws {
        var document: [UInt8] = []
        GeneratedExport(GeneratedExport.Options(seed: 11, xmlBytes: 60_000, dtdVersion: version))
            .writeXML { chunk in for index in chunk.indices { document.append(chunk[index]) } }
        for batch in try batches(document) { try check(batch) }
    }

    @Test("of adversarial documents", arguments: 0..<60)
    func adversarial(_ seed: Int) throws {
        for batch in try batches(AdversarialDocument(seed: UInt64(seed)).bytes) { try check(batch) }
    }

    @Test("of adversarial documents, read either way", arguments: 60..<100)
    func eitherWay(_ seed: Int) throws {
        let bytes = AdversarialDocument(seed: UInt64(seed)).bytes
        #expect(try Reading(bytes) == Reading(bytes, usesTemplates: false))
    }
}
