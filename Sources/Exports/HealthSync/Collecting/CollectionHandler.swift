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

extension SyncObserver {
    /// Makes an observer that collects a type.
    init(
        _ type: AnySampleType, _ anchors: any AnchorStore, _ handler: any CollectionHandler,
        where isWanted: @escaping @Sendable (AnySample) -> Bool
    ) {
        // Of nobody in particular: a collector has one source.
        self.init(type: type, anchors: anchors, isWanted: isWanted) { batch, pages, person, _ in
            if !batch.deleted.isEmpty { try await handler.handleDeletedObjects(batch.deleted, of: type) }
            if !batch.added.isEmpty { try await handler.handleNewSamples(batch.added, of: type) }
            try await anchors.save(pages, of: person)
            var counts = SyncCounts()
            counts.deleted = batch.deleted.count
            counts.added = batch.added.count
            return counts
        }
    }
}
