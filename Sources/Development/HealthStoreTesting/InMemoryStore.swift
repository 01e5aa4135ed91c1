import AppleHealthExport
import CivilTime
public import ExportGenerator
public import HealthModel
import HealthStores
import SampleBatches
import SystemIO

/// A store of samples without a file: a generated export, or a document of Apple's format in memory.
public struct InMemoryStore: HealthStore {
    private let store: ExportStore

    /// Creates a store of a generated export.
    public init(_ export: GeneratedExport) {
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
    public init(document text: String, fingerprint: StoreFingerprint? = nil) {
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
    /// Returns whole batches in the order of a request.
    public func spans(_ request: SpanRequest) -> BatchSequence { store.spans(request) }
    /// Returns what ``batches(_:)`` would return, without the samples.
    @concurrent public func plan(_ query: BatchQuery) async throws -> [PlannedBatch] {
        try await store.plan(query)
    }
}
