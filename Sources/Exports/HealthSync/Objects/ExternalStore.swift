/// A store outside of this program that is kept in step with a source of samples.
///
/// The four calls may come again with the same objects: after a failure or a crash, the batch is repeated. A store that
/// does not support transactions therefore adds what is already there without duplicating it.
public protocol ExternalStore: Sendable {
    /// The objects that the store contains.
    associatedtype Object: ExternalObject

    /// Returns those of the objects that the store has, in any order; nil if it has none.
    func fetch(_ objects: [Object]) async throws -> [Object]?

    /// Adds objects that ``fetch(_:)`` has just not returned.
    func add(_ objects: [Object]) async throws

    /// Updates objects that ``fetch(_:)`` has just returned.
    func update(_ objects: [Object]) async throws

    /// Deletes objects that ``fetch(_:)`` has just returned.
    func delete(_ objects: [Object]) async throws
}

/// A store that also keeps the anchors, and commits them together with the changes that they stand for.
///
/// `ExternalStoreConformance` in the `HealthSyncTesting` module checks all of this.
public protocol TransactionalStore: ExternalStore, AnchorStore {
    /// Begins a batch of a person: what the four calls read and change is of this person, and takes effect when the batch is
    /// committed.
    func begin(of person: String) async throws

    /// Commits the changes and the pages of anchors of the same person.
    ///
    /// If the store cannot do both in one step, the changes become durable before the pages do.
    func commit(saving pages: [AnchorPage]) async throws

    /// Discards what was not committed, as far as the store can.
    func rollBack() async
}
