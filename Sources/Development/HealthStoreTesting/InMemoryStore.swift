import AppleHealthExport
import ByteText
public import ExportGenerator
import HealthArchive
public import HealthModel
import SampleBatches
import SystemIO

/// A store of samples without a file: a generated export, or a document of Apple's format in memory.
public struct InMemoryStore: HealthStore {
    private let store: ExportStore
    /// Whether it knows the sums of its spans, as an archive does.
    private let knowsSums: Bool

    /// Creates a store of a generated export.
    public init(_ export: GeneratedExport) {
        knowsSums = false
        store = ExportStore(named: "generated", facts: StoreFingerprint(["options": "\(export.options)"])) {
            GeneratedDocument(export)
        }
    }

    /// Creates a store of a document, the text of an export.xml.
    ///
    /// ```swift
    /// let store = InMemoryStore(document: """
    ///     <HealthData locale="en_GB">
    ///      <Record type="HKQuantityTypeIdentifierStepCount" sourceName="Watch" unit="count" value="70" \
    ///     startDate="2024-02-29 12:00:00 +0100" endDate="2024-02-29 12:01:00 +0100"/>
    ///     </HealthData>
    ///     """)
    /// ```
    ///
    /// - Parameters:
    ///   - text: The document.
    ///   - fingerprint: What identifies the document before it is fully read; if nil, its length.
    ///   - knowsSums: Whether the store knows the sums of its spans, as an archive does.
    public init(document text: String, fingerprint: StoreFingerprint? = nil, knowsSums: Bool = false) {
        self.knowsSums = knowsSums
        let facts = fingerprint ?? StoreFingerprint(["length": String(text.utf8.count)])
        let bytes = Array(text.utf8)
        store = ExportStore(named: "document", facts: facts) { MemoryStream(bytes) }
    }

    /// Returns the contents of the document.
    @concurrent public func contents() async throws -> StoreContents { try await store.contents() }
    /// Returns the facts about the person in the document.
    @concurrent public func characteristics() async throws -> Characteristics {
        try await store.characteristics()
    }
    /// Returns the fingerprint of the document.
    @concurrent public func fingerprint() async throws -> StoreFingerprint { try await store.fingerprint() }
    /// Returns the requested samples.
    public func batches(_ query: BatchQuery) -> BatchSequence { store.batches(query) }
    /// Returns whole batches in the order of a request; those of months, if the store knows their sums.
    public func spans(_ request: SpanRequest) -> BatchSequence {
        guard knowsSums else { return store.spans(request) }
        return BatchSequence {
            SortedSpans(BatchSequence { MonthlyBatches(store, request) }, request)
        }
    }
    /// Returns the sums of the spans of some types, if the store was told to know them.
    @concurrent public func spanSums(of types: [AnySampleType]?) async throws -> [SpanSum]? {
        guard knowsSums else { return nil }
        var sums: [SampleBatch.Key: (sum: IdentitySum, first: Timestamp?, last: Timestamp?)] = [:]
        let types = if let types { types } else { try await contents().types.map(\.type) }
        for try await batch in spans(SpanRequest(types: types)) {
            let key = batch.key.ofSpan
            var own = sums[key] ?? (IdentitySum(), nil, nil)
            own.sum.add(batch.identitySum())
            own.first.lower(to: batch.first)
            own.last.raise(to: batch.last)
            sums[key] = own
        }
        return sums.map { key, own in
            SpanSum(key, own.sum, first: own.first?.seconds, last: own.last?.seconds)
        }
    }
    /// Returns what ``batches(_:)`` would return, without the samples.
    @concurrent public func plan(_ query: BatchQuery) async throws -> [PlannedBatch] {
        try await store.plan(query)
    }
}

/// The batches of months, those without a requested sample left out, as an archive has them.
private struct MonthlyBatches: BatchSequence.Source {
    private let store: ExportStore
    private let request: SpanRequest
    private var batches: BatchSequence.Iterator

    init(_ store: ExportStore, _ request: SpanRequest) {
        self.store = store
        self.request = request
        let query = BatchQuery(request, batchSize: BatchOptions(span: .every(.months(1))))
        batches = store.batches(query).makeAsyncIterator()
    }

    @concurrent mutating func next() async throws -> SampleBatch? {
        let starts = request.starts(in: try await store.contents())
        while let batch = try await batches.next() {
            guard let first = batch.first?.seconds, let last = batch.last?.seconds else {
                if starts.lowerBound == .min { return batch }
                continue
            }
            if first < starts.upperBound, last >= starts.lowerBound { return batch }
        }
        return nil
    }
}
