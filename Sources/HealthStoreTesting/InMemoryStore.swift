import AppleHealthExport
public import ExportGenerator
public import HealthModel
import HealthStores
import SampleBatches
import SystemIO

/// A store of samples without a file: a generated export, or a document of Apple's format in memory.
public struct InMemoryStore: HealthStore {
    private let store: ExportStore

    /// A store of what the generator makes.
    public init(_ export: GeneratedExport) {
        store = ExportStore(named: "generated", facts: StoreFingerprint(["options": "\(export.options)"])) {
            GeneratedDocument(export)
        }
    }

    /// A store of a document: the text of an export.xml.
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
    ///   - fingerprint: What identifies it before it is read through; its length where nil.
    public init(document text: String, fingerprint: StoreFingerprint? = nil) {
        let facts = fingerprint ?? StoreFingerprint(["length": String(text.utf8.count)])
        let bytes = Array(text.utf8)
        store = ExportStore(named: "document", facts: facts) { MemoryStream(bytes) }
    }

    /// What is in the document.
    @concurrent public func contents() async throws -> StoreContents { try await store.contents() }
    /// What the document says about the person.
    @concurrent public func characteristics() async throws -> Characteristics {
        try await store.characteristics()
    }
    /// What identifies the document.
    @concurrent public func fingerprint() async throws -> StoreFingerprint { try await store.fingerprint() }
    /// The requested samples.
    public func batches(_ query: BatchQuery) -> BatchSequence { store.batches(query) }
    /// What ``batches(_:)`` would give, without the samples.
    @concurrent public func plan(_ query: BatchQuery) async throws -> [PlannedBatch] {
        try await store.plan(query)
    }
}
