import AppleHealthExport
import CivilTime
import HealthFormats
import SampleBatches
import SystemIO

/// Puts all rows of an element and type into one batch.
struct BatchSink: RowSink {
    private var builders: [String: SampleBatchBuilder] = [:]
    private(set) var starts: [Timestamp?] = []

    mutating func append(
        _ kind: RowKind, content: RowContent?, position: Int, start: Timestamp?, values: Span<UInt8>
    ) {
        starts.append(start)
        let name = kind.element + "/" + kind.type
        let key = SampleBatch.Key(element: kind.element, type: kind.type, span: "all", part: 1)
        var builder = builders[name] ?? SampleBatchBuilder(key: key)
        builders[name] = nil
        let head = RowHead(
            context: builder.number(of: kind.context),
            content: content.map { builder.number(ofContent: $0.json) } ?? 0, position: position)
        builder.append(head, start: start, values: values)
        builders[name] = builder
    }

    var batches: [SampleBatch] { builders.sorted { $0.key < $1.key }.map(\.value.batch) }
}

/// What a document holds, in a form that can be compared: its batches as stored ones.
struct Reading: Equatable {
    var batches: [String]
    var starts: [Timestamp?]
    var counts: [String: Int]
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
        counts = Dictionary(uniqueKeysWithValues: reader.census.counts.map { ($0.key.text, $0.value) })
        oddities = reader.oddities
    }
}

/// A document of the Health app around some elements.
func document(_ elements: String) -> [UInt8] {
    Array("<?xml version=\"1.0\"?>\n<HealthData locale=\"en_US\">\n\(elements)\n</HealthData>\n".utf8)
}
