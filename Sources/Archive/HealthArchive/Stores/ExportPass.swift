import AppleHealthExport
import ByteText
import HealthModel
import SampleBatches
import SystemIO

/// A pass over a document that returns the batches of a query.
struct ExportPass: ~Copyable {
    private let document: ExportDocument
    private let stream: any ByteStream
    private let observer: FingerprintObserver
    private let finish: (InspectionSink?, StoreFingerprint) throws -> Void
    private let processors: Processors
    private var reader: DocumentReader
    private var sink: ExportSink
    private var ready: ArraySlice<ClosedBatch> = []
    private var isAtEnd = false

    /// Opens the document.
    ///
    /// - Parameters:
    ///   - document: The document to read.
    ///   - query: The samples to return.
    ///   - isInspecting: Whether to determine the contents of the document as well.
    ///   - processors: The processors that read ahead.
    ///   - finish: Receives the contents, if requested, and the fingerprint once the whole document is read.
    init(
        _ document: ExportDocument, _ query: BatchQuery, inspecting isInspecting: Bool,
        on processors: Processors,
        finish: @escaping (InspectionSink?, StoreFingerprint) throws -> Void
    ) throws {
        let observer = try FingerprintObserver(expectedLength: document.size)
        let stream = try document.open()
        self.document = document
        self.observer = observer
        self.stream = stream
        self.finish = finish
        self.processors = processors
        reader = DocumentReader(stream, name: document.name, observer: observer)
        sink = ExportSink(
            collector: BatchCollector(options: query.batchSize, query: query),
            inspection: isInspecting ? InspectionSink() : nil)
    }

    /// The result of a step of the pass.
    enum Step {
        /// The next batch.
        case batch(ClosedBatch)
        /// Part of the document was read, but no batch is complete yet.
        case reading
        /// There are no more batches.
        case end
    }

    /// Returns a batch or reads on, in small steps so that other tasks do not wait long.
    mutating func step() async throws -> Step {
        if let batch = ready.popFirst() { return .batch(batch) }
        if isAtEnd {
            guard sink.collector.closeNext() else { return .end }
        } else if try await reader.advance(into: &sink, readingAheadOn: processors) {
            document.report(reader)
        } else {
            isAtEnd = true
            // This happens before the batches that wait for the end are returned.
            try finish(sink.inspection, document.fingerprint(observer, crc32: stream.crc32))
        }
        ready = sink.collector.removeClosed()[...]
        return .reading
    }
}

/// Passes rows to the batches of a query and, if requested, to the inspection of the contents.
private struct ExportSink: RowSink, ~Copyable {
    var collector: BatchCollector
    var inspection: InspectionSink?

    mutating func append(
        _ kind: RowKind, content: RowContent?, position: Int, start: Timestamp?, cells: Span<Int>,
        text: Span<UInt8>, size: Int
    ) {
        inspection?.append(
            kind, content: content, position: position, start: start, cells: cells, text: text, size: size)
        collector.append(
            kind, content: content, position: position, start: start, cells: cells, text: text, size: size)
    }

    mutating func append(
        _ kind: RowKind, contents: [RowContent], position: Int, _ rows: RowBlock, text: Span<UInt8>
    ) {
        inspection?.append(kind, contents: contents, position: position, rows, text: text)
        collector.append(kind, contents: contents, position: position, rows, text: text)
    }

    mutating func forgetKinds() {
        inspection?.forgetKinds()
        collector.forgetKinds()
    }
}
