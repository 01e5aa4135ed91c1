import AppleHealthExport
import ByteText
import DocumentTesting
import HealthFormats
import SampleBatches
import SystemIO

/// What a document holds, in a form that can be compared: its batches as stored ones.
struct Reading: Equatable {
    var batches: [String]
    var starts: [Timestamp?]
    var counts: [String: Int]
    var unknownAttributes: [String: Int]
    var types: [String: Int]
    var oddities: ScanOddities

    init(
        _ document: [UInt8], piece: Int = 1 << 20, windowSize: Int = 1 << 18, usesTemplates: Bool = true
    ) throws {
        var reader = DocumentReader(
            MemoryStream(document, piece: piece), name: "document", windowSize: windowSize,
            usesTemplates: usesTemplates)
        var sink = BatchSink()
        while try reader.advance(into: &sink) {}
        self.init(reader, sink)
    }

    /// The same with windows that another task fills.
    static func ahead(
        _ document: [UInt8], piece: Int = 1 << 20, windowSize: Int = 1 << 18
    ) async throws -> Self {
        var reader = DocumentReader(
            MemoryStream(document, piece: piece), name: "document", windowSize: windowSize,
            usesTemplates: true)
        var sink = BatchSink()
        let processors = Processors(count: 1)
        while try await reader.advance(into: &sink, readingAheadOn: processors) {}
        return Reading(reader, sink)
    }

    private init(_ reader: DocumentReader, _ sink: BatchSink) {
        var writer = StoredBatchWriter()
        batches = sink.batches.map { String(decoding: writer.write($0), as: UTF8.self) }
        starts = sink.starts
        counts = Self.named(reader.census.counts)
        unknownAttributes = Self.named(reader.census.unknownAttributes)
        types = Self.named(reader.census.types)
        oddities = reader.oddities
    }

    private static func named(_ counts: [ExactName: Int]) -> [String: Int] {
        Dictionary(uniqueKeysWithValues: counts.map { ($0.key.text, $0.value) })
    }
}
