public import HealthModel
public import HealthQueries

/// Receives the samples that are collected.
///
/// Removals come before additions, and neither function is called without any. The samples count as delivered once both
/// functions have returned: after an error, the same batch comes again.
public protocol CollectionHandler: Sendable {
    /// Receives the identifiers of samples that the newest export no longer has.
    func handleDeletedObjects(_ deleted: [SampleID], of type: AnySampleType) async throws

    /// Receives new samples.
    func handleNewSamples(_ added: [IdentifiedSample], of type: AnySampleType) async throws
}

/// The collection of a type as an observer of a source.
struct CollectionObserver: SyncObserving {
    let type: AnySampleType
    let anchors: any AnchorStore
    /// Nobody in particular: a collector has one source.
    var person = ""
    let handler: any CollectionHandler
    let isWanted: (@Sendable (AnySample) -> Bool)?

    var requiredTypes: [AnySampleType] { [type] }

    func apply(
        _ batch: SyncBatch, _ pages: [AnchorPage], _ delegate: (any SyncDelegate)?,
        _ converter: (any SampleConverter)?
    ) async throws -> SyncCounts {
        var counts = SyncCounts()
        if !batch.deleted.isEmpty { try await handler.handleDeletedObjects(batch.deleted, of: type) }
        if !batch.added.isEmpty { try await handler.handleNewSamples(batch.added, of: type) }
        try await anchors.save(pages, of: person)
        counts.deleted = batch.deleted.count
        counts.added = batch.added.count
        return counts
    }
}
