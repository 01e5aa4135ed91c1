public import HealthModel
public import HealthQueries

/// Hooks of a synchronisation; each has a default.
public protocol SyncDelegate: Sendable {
    /// Returns whether to synchronise a type; if not, it ends with `operationCancelled`.
    func shouldExecute(_ type: AnySampleType) async -> Bool

    /// Returns the number of changes in a batch of a type; nil for the manager's.
    func batchSize(of type: AnySampleType) async -> Int?

    /// Called before a batch is synchronised.
    func willSynchronize(_ batch: SyncBatch) async throws

    /// Called after a batch was synchronised, before its anchor is saved; not called after an error.
    func willFinish(_ batch: SyncBatch) async throws

    /// Called when all changes of a type were synchronised, or with the error that ended this.
    func didFinishExecution(_ type: AnySampleType, error: (any Error)?) async
}

extension SyncDelegate {
    /// Returns true.
    public func shouldExecute(_ type: AnySampleType) async -> Bool { true }
    /// Returns nil.
    public func batchSize(of type: AnySampleType) async -> Int? { nil }
    /// Does nothing.
    public func willSynchronize(_ batch: SyncBatch) async throws {}
    /// Does nothing.
    public func willFinish(_ batch: SyncBatch) async throws {}
    /// Does nothing.
    public func didFinishExecution(_ type: AnySampleType, error: (any Error)?) async {}
}

/// Changes that are synchronised together.
public struct SyncBatch: Sendable {
    /// The type of the samples.
    public let type: AnySampleType
    /// The samples that are gone.
    public internal(set) var deleted: [SampleID]
    /// The samples that are new or changed.
    public internal(set) var added: [IdentifiedSample]

    /// Creates a batch.
    public init(of type: AnySampleType, deleted: [SampleID] = [], added: [IdentifiedSample] = []) {
        self.type = type
        self.deleted = deleted
        self.added = added
    }

    /// The number of changes.
    var count: Int { deleted.count + added.count }
}
