import AppleHealthExport
import BatchCollection
import HealthArchive
import HealthModel
import SampleBatches

/// A pass over a document that returns the batches of a query.
struct ExportPass {
    private let document: ExportDocument
    private let stream: any ByteStream
    private let observer: FingerprintObserver
    private let finish: (InspectionSink?, StoreFingerprint) throws -> Void
    private var reader: DocumentReader
    private var sink: ExportSink
    private var ready: ArraySlice<ClosedBatch> = []
    private var isAtEnd = false

    /// Opens the document.
    ///
    /// - Parameters:
    ///   - document: The document to read.
    ///   - query: The samples to return.
    ///   - isInspecting: Whether the contents of the document are found as well.
    ///   - finish: Receives the contents, if they were to be found, and the fingerprint of the document once all of it
    ///     was read.
    init(
        _ document: ExportDocument, _ query: BatchQuery, inspecting isInspecting: Bool,
        finish: @escaping (InspectionSink?, StoreFingerprint) throws -> Void
    ) throws {
        self.document = document
        self.finish = finish
        observer = try FingerprintObserver(expectedLength: document.size)
        stream = try document.open()
        reader = DocumentReader(stream, name: document.name, observer: observer)
        sink = ExportSink(
            collector: BatchCollector(options: query.batchSize, query: query),
            inspection: isInspecting ? InspectionSink() : nil)
    }

    /// What a step of the pass has brought.
    enum Step {
        /// The next batch.
        case batch(ClosedBatch)
        /// A part of the document was read, and no batch is complete yet.
        case reading
        /// There are no more batches.
        case end
    }

    /// Gives a batch, or reads on: so much at a time that other tasks need not wait long for theirs.
    mutating func step() throws -> Step {
        if let batch = ready.popFirst() { return .batch(batch) }
        if isAtEnd {
            guard sink.collector.closeNext() else { return .end }
        } else if try !reader.advance(into: &sink) {
            isAtEnd = true
            // Before the batches that wait for the end are given out.
            try finish(sink.inspection, document.fingerprint(observer, crc32: stream.crc32))
        }
        ready = sink.collector.removeClosed()[...]
        return .reading
    }
}

/// Passes rows on to the batches of a query and, where it is wanted, to the list of contents.
private struct ExportSink: RowSink {
    var collector: BatchCollector
    var inspection: InspectionSink?

    mutating func append(
        _ kind: RowKind, content: RowContent?, position: Int, start: Timestamp?, values: Span<UInt8>
    ) {
        inspection?.append(kind, content: content, position: position, start: start, values: values)
        collector.append(kind, content: content, position: position, start: start, values: values)
    }

    mutating func forgetKinds() {
        inspection?.forgetKinds()
        collector.forgetKinds()
    }
}
