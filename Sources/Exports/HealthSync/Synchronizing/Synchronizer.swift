import HealthModel
import HealthQueries

/// Applies batches of changes to an external store.
///
/// Deletions come first, then additions, then updates. The store is asked which objects it has each time: only what it
/// has is deleted or updated, and only what it does not have is added. The first error ends the batch.
public struct Synchronizer<Store: ExternalStore>: Sendable {
    private let store: Store
    private let delegate: (any SyncDelegate)?
    private let converter: (any SampleConverter)?

    /// Creates a synchroniser for a store.
    public init(
        _ store: Store, delegate: (any SyncDelegate)? = nil, converter: (any SampleConverter)? = nil
    ) {
        self.store = store
        self.delegate = delegate
        self.converter = converter
    }

    /// Applies a batch; one without changes calls nothing.
    ///
    /// - Returns: The numbers of objects that were added, updated and deleted.
    /// - Throws: The error of the store or of the delegate, after which nothing else is done.
    public func synchronize(_ batch: SyncBatch) async throws -> SyncCounts {
        var counts = SyncCounts()
        guard !batch.deleted.isEmpty || !batch.added.isEmpty else { return counts }
        try await delegate?.willSynchronize(batch)
        counts.deleted = try await delete(batch.deleted)
        try await addOrUpdate(batch.added, &counts)
        try await delegate?.willFinish(batch)
        return counts
    }

    private func delete(_ deleted: [SampleID]) async throws -> Int {
        let objects = deleted.compactMap { Store.Object(deleted: $0, converter: converter) }
        guard !objects.isEmpty, let found = try await store.fetch(objects), !found.isEmpty else { return 0 }
        try await store.delete(found)
        return found.count
    }

    private func addOrUpdate(_ added: [IdentifiedSample], _ counts: inout SyncCounts) async throws {
        let mapped = added.compactMap { sample in
            Store.Object(sample, converter: converter).map { (sample: sample, object: $0) }
        }
        guard !mapped.isEmpty else { return }
        let objects = mapped.map(\.object)
        guard let found = try await store.fetch(objects), !found.isEmpty else {
            try await store.add(objects)
            counts.added = objects.count
            return
        }
        let present = Dictionary(found.map { ($0.id, $0) }) { first, _ in first }
        var new: [Store.Object] = []
        var changed: [Store.Object] = []
        for (sample, object) in mapped {
            if var held = present[object.id] {
                held.update(with: sample, converter: converter)
                changed.append(held)
            } else {
                new.append(object)
            }
        }
        if !new.isEmpty { try await store.add(new) }
        if !changed.isEmpty { try await store.update(changed) }
        counts.added = new.count
        counts.updated = changed.count
    }
}

/// Numbers of objects that a synchronisation has changed.
public struct SyncCounts: Sendable, Hashable {
    /// Objects that the target did not have.
    public var added = 0
    /// Objects that the target already had.
    public var updated = 0
    /// Objects of samples that the source no longer has.
    public var deleted = 0
    /// Samples that the target cannot store.
    public var leftOut = 0

    /// Creates counts of zero.
    public init() {}

    /// Whether nothing was changed.
    public var isEmpty: Bool { self == SyncCounts() }

    /// Adds other counts.
    public static func += (left: inout Self, right: Self) {
        left.added += right.added
        left.updated += right.updated
        left.deleted += right.deleted
        left.leftOut += right.leftOut
    }
}
