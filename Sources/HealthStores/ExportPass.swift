import AppleHealthExport
import BatchCollection
import HealthArchive
import HealthModel

/// A pass over a document that returns the batches of a query.
struct ExportPass {
    private let document: ExportDocument
    private let stream: any ByteStream
    private let observer: FingerprintObserver
    private let check: (StoreFingerprint) throws -> Void
    private var reader: DocumentReader
    private var collector: BatchCollector
    private var ready: ArraySlice<ClosedBatch> = []
    private var isAtEnd = false

    /// Opens the document.
    ///
    /// - Parameters:
    ///   - document: The document to read.
    ///   - query: The samples to return.
    ///   - check: Receives the fingerprint of the document once all of it was read.
    init(
        _ document: ExportDocument, _ query: SampleQuery, check: @escaping (StoreFingerprint) throws -> Void
    ) throws {
        self.document = document
        self.check = check
        observer = try FingerprintObserver(expectedLength: document.size)
        stream = try document.open()
        reader = DocumentReader(stream, name: document.name, observer: observer)
        collector = BatchCollector(options: query.batchSize, query: query)
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
            guard collector.closeNext() else { return .end }
        } else if try !reader.advance(into: &collector) {
            isAtEnd = true
            // Before the batches that wait for the end are given out.
            try check(document.fingerprint(observer, crc32: stream.crc32))
        }
        ready = collector.removeClosed()[...]
        return .reading
    }
}
