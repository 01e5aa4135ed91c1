public import HealthModel
import HealthQueries
import Synchronization

/// Keeps external stores in step with exports or archives as they arrive.
///
/// ```swift
/// let manager = SyncManager()
/// manager.add([.heartRate, .stepCount], to: try SQLiteTarget(path: "health.db"))
/// let report = try await manager.synchronize(with: ExportStore(path: "export.zip"))
/// ```
///
/// A type is synchronised in batches. The anchor of a batch is saved after its changes have succeeded, so that a
/// synchronisation that was interrupted at any instant continues where it ended, with nothing twice and nothing lost.
public final class SyncManager: Sendable {
    private struct State {
        var observers: [any SyncObserving] = []
        var allTypes: [any AllTypesObserving] = []
        var delegate: (any SyncDelegate)?
        var converter: (any SampleConverter)?
        var permitted: Set<AnySampleType>?
        var observing: Task<Void, Never>?
        /// The number of times that observing was started.
        var starts = 0
    }

    private let state = Mutex(State())
    private let batchSize: Int

    /// Creates a manager.
    ///
    /// - Parameter batchSize: The number of changes in a batch, unless the delegate has another.
    public init(batchSize: Int = 25) { self.batchSize = max(1, batchSize) }

    /// The hooks of all observers.
    public var delegate: (any SyncDelegate)? {
        get { state.withLock { $0.delegate } }
        set { state.withLock { $0.delegate = newValue } }
    }

    /// The converter of all observers, including those that are added later.
    public var converter: (any SampleConverter)? {
        get { state.withLock { $0.converter } }
        set { state.withLock { $0.converter = newValue } }
    }

    /// The types that were added by themselves, in this order.
    public var observedTypes: [AnySampleType] { state.withLock { $0.observers.map(\.type) } }

    /// Adds observers of types for a store that keeps its anchors itself.
    ///
    /// A type is added once: with the same type and the same required types, the first store stays.
    public func add<Store: TransactionalStore>(_ types: [AnySampleType], to store: Store) {
        add(types, to: store, anchors: store)
    }

    /// Adds observers of types for a store whose anchors rest elsewhere.
    public func add<Store: ExternalStore>(
        _ types: [AnySampleType], to store: Store, anchors: any AnchorStore
    ) {
        state.withLock { state in
            for type in types {
                let observer = SyncObserver(type: type, store: store, anchors: anchors)
                let isKnown = state.observers.contains {
                    $0.type == type && $0.requiredTypes == observer.requiredTypes
                }
                if !isKnown { state.observers.append(observer) }
            }
        }
    }

    /// Adds observers of all types for a store: of those that a source has, and of those that the store has anchors of.
    ///
    /// A type that is also added by itself is observed for the store that it was added to.
    public func addAllTypes<Store: TransactionalStore>(to store: Store) {
        state.withLock { $0.allTypes.append(AllTypesObserver(store: store, anchors: store)) }
    }

    /// Permits the synchronisation of types, which until then all are: only observers whose required types are all
    /// permitted run.
    ///
    /// - Throws: ``SyncError``: `unavailable` if the source has no samples, `noSpecifiedTypes` without types.
    public func requestPermissions(for types: [AnySampleType], in store: any HealthStore) async throws {
        guard !types.isEmpty else { throw SyncError(.noSpecifiedTypes) }
        guard try await !store.contents().types.isEmpty else { throw SyncError(.unavailable) }
        state.withLock { $0.permitted = Set(types) }
    }

    /// Permits all that the observers require.
    ///
    /// - Throws: ``SyncError``, as for ``requestPermissions(for:in:)``.
    public func requestPermissionsForAllObservers(in store: any HealthStore) async throws {
        let types = state.withLock { $0.observers.flatMap(\.requiredTypes) }
        try await requestPermissions(for: types, in: store)
    }

    /// Brings the external stores in step with a source, in one pass over it.
    ///
    /// Nothing is deleted if the source is known to be a part of an export.
    ///
    /// - Parameter isDry: Whether to only count what would change.
    /// - Returns: What was changed.
    /// - Throws: The first error of a store or of the source; what was done until then is kept.
    @discardableResult
    public func synchronize(with store: any HealthStore, isDry: Bool = false) async throws -> SyncReport {
        let (observers, allTypes, permitted, delegate, converter) = state.withLock { state in
            (state.observers, state.allTypes, state.permitted, state.delegate, state.converter)
        }
        var run = SyncRun(delegate, converter, batchSize: batchSize, isDry: isDry)
        run.permitted = permitted
        return try await run.synchronize(observers, allTypes, with: store)
    }

    /// Starts to synchronise each store of a sequence, such as ``StoreUpdates``; does nothing while another is observed.
    ///
    /// - Parameter failed: Receives the error of a synchronisation, after which the next store is synchronised nevertheless, and
    ///   that of the sequence, which ends the observation.
    public func startObserving<Updates: AsyncSequence & Sendable>(
        _ updates: Updates, failed: @escaping @Sendable (any Error) async -> Void = { _ in }
    ) where Updates.Element == any HealthStore {
        state.withLock { state in
            guard state.observing == nil else { return }
            state.starts += 1
            let number = state.starts
            state.observing = Task {
                do {
                    try await observe(updates, failed)
                } catch is CancellationError {
                } catch { await failed(error) }
                self.state.withLock { if $0.starts == number { $0.observing = nil } }
            }
        }
    }

    private func observe<Updates: AsyncSequence & Sendable>(
        _ updates: Updates, _ failed: @Sendable (any Error) async -> Void
    ) async throws where Updates.Element == any HealthStore {
        for try await store in updates {
            do { try await synchronize(with: store) } catch let error as CancellationError {
                throw error
            } catch { await failed(error) }
        }
    }

    /// Whether stores are being synchronised as they arrive.
    public var isObserving: Bool { state.withLock { $0.observing != nil } }

    /// Stops observing after the current batch, and keeps all anchors.
    public func stopObserving() async {
        // The task clears it as it ends: until then, another one would synchronise beside it.
        let task = state.withLock { $0.observing }
        task?.cancel()
        await task?.value
    }

    /// Deletes the anchors of all types that are observed, so that the next synchronisation compares everything again.
    public func reset() async throws {
        for observer in state.withLock(\.observers) {
            try await observer.anchors.removeAnchors(of: [observer.type])
        }
        for all in state.withLock(\.allTypes) {
            try await all.anchors.removeAnchors(of: all.anchors.anchoredTypes())
        }
    }

    /// Returns the names of the sources of the samples of each type that was added by itself.
    ///
    /// - Throws: An error if the store cannot be read.
    public func sources(in store: any HealthStore) async throws -> [AnySampleType: Set<String>] {
        let types = observedTypes
        var sources: [AnySampleType: Set<String>] = [:]
        for type in types { sources[type] = [] }
        for try await span in store.spans(BatchQuery(types: types)) {
            for sample in span.samples {
                if let name = sample.sourceName { sources[span.type]?.insert(name) }
            }
        }
        return sources
    }
}
