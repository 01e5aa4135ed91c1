package import AppleHealthExport
package import ByteText
package import SampleBatches
import SystemIO

/// Puts all rows of an element and type into one batch.
package struct BatchSink: RowSink {
    private var builders: [String: SampleBatchBuilder] = [:]
    /// The start of each row.
    package private(set) var starts: [Timestamp?] = []

    /// Creates an empty sink.
    package init() {}

    package mutating func append(
        _ kind: RowKind, content: RowContent?, position: Int, start: Timestamp?, cells: Span<Int>,
        text: Span<UInt8>, size: Int
    ) {
        starts.append(start)
        let name = kind.element + "/" + kind.type
        let key = SampleBatch.Key(element: kind.element, type: kind.type, span: "all", part: 1)
        var builder = builders[name] ?? SampleBatchBuilder(key: key)
        builders[name] = nil
        let head = RowHead(
            context: builder.number(of: kind.context),
            content: content.map { builder.number(ofContent: $0.json) } ?? 0, position: position)
        builder.append(head, start: start, cells: cells, text: text)
        builders[name] = builder
    }

    /// The batches, ordered by element and type.
    package var batches: [SampleBatch] { builders.sorted { $0.key < $1.key }.map(\.value.batch) }

    /// Returns the batches of a document.
    package static func batches(of document: [UInt8]) throws(ExportError) -> [SampleBatch] {
        var reader = DocumentReader(MemoryStream(document), name: "document")
        var sink = BatchSink()
        while try reader.advance(into: &sink) {}
        return sink.batches
    }
}

/// A document of the Health app around some elements.
package func document(_ elements: String) -> [UInt8] {
    Array("<?xml version=\"1.0\"?>\n<HealthData locale=\"en_US\">\n\(elements)\n</HealthData>\n".utf8)
}
