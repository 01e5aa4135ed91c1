import ByteText
public import HealthArchive
public import HealthModel
import HealthQueries
import Synchronization
import SystemIO

/// Keeps external stores in step with exports or archives as they arrive.
///
/// ```swift
/// let manager = SyncManager()
/// manager.add([.heartRate, .stepCount], to: try DatabaseTarget(sqlite: "health.db"))
/// let report = try await manager.synchronize(with: ExportStore(path: "export.zip"))
/// ```
///
/// A type is synchronised in batches. The anchor of a batch is saved after its changes have succeeded, so that a
/// synchronisation that was interrupted at any instant continues where it ended, with nothing twice and nothing lost.
public final class SyncManager: Sendable {
    private struct State {
        var observers: [SyncObserver] = []
        var hooks = SyncObserver.Hooks()
        var permitted: Set<AnySampleType>?
        var excluded: Set<AnySampleType> = []
        var terms = SubjectTerms()
        var observing: Task<Void, Never>?
        /// The number of times that observing was started.
        var starts = 0

        /// The targets, each once, with the types that may be synchronised with it.
        var targets: [SyncTarget] {
            var targets: [SyncTarget] = []
            func add(_ anchors: any AnchorStore, _ change: (inout SyncTarget) -> Void) {
                let place =
                    targets.firstIndex { $0.anchors === anchors }
                    ?? {
                        targets.append(SyncTarget(anchors: anchors, excluded: excluded))
                        return targets.count - 1
                    }()
                change(&targets[place])
            }
            for observer in observers {
                guard let type = observer.type else {
                    add(observer.anchors) { target in
                        if let permitted {
                            target.types.formUnion(permitted)
                        } else {
                            target.hasAllTypes = true
                        }
                    }
                    continue
                }
                if observer.isPermitted(type, in: permitted) {
                    add(observer.anchors) { $0.types.insert(type) }
                }
            }
            return targets
        }
    }

    private let state = Mutex(State())
    private let batchSize: Int
    /// What keeps other synchronisations away from a server.
    private let lock: FileDescriptor?

    /// Creates a manager.
    ///
    /// - Parameter batchSize: The number of changes in a batch, unless the delegate has another.
    public init(batchSize: Int = 25) {
        self.batchSize = max(1, batchSize)
        lock = nil
    }

    /// Creates a manager for one target, which it opens.
    ///
    /// - Parameters:
    ///   - location: Where the target is.
    ///   - access: What a FHIR server needs.
    ///   - types: The types to synchronise; nil for all.
    ///   - batchSize: The number of changes in a batch; nil for what suits the target.
    ///   - terms: Whose samples they are; by default, those of the person whom a FHIR server knows them by.
    ///   - isReadOnly: Whether to change nothing, and to allow only synchronisations that count.
    /// - Throws: ``SyncError``, `inUse` while another manager has the same server; `SystemError`.
    public init(
        _ location: TargetLocation, _ access: ServerAccess = ServerAccess(), types: [AnySampleType]? = nil,
        batchSize: Int? = nil, terms: SubjectTerms = SubjectTerms(), isReadOnly: Bool = false
    ) throws {
        self.batchSize = max(1, batchSize ?? location.batchSize)
        lock = isReadOnly ? nil : try location.lock()
        let target = try location.open(access, isReadOnly: isReadOnly)
        if let types { add(types, to: target) } else { addAllTypes(to: target) }
        self.terms = terms
        if case .fhir = location { self.terms.person = terms.person ?? access.subject }
    }

    /// The hooks of all observers.
    public var delegate: (any SyncDelegate)? {
        get { state.withLock { $0.hooks.delegate } }
        set { state.withLock { $0.hooks.delegate = newValue } }
    }

    /// The converter of all observers, including those that are added later.
    public var converter: (any SampleConverter)? {
        get { state.withLock { $0.hooks.converter } }
        set { state.withLock { $0.hooks.converter = newValue } }
    }

    /// Whose samples are synchronised, and what may be done to those of earlier exports.
    public var terms: SubjectTerms {
        get { state.withLock { $0.terms } }
        set { state.withLock { $0.terms = newValue } }
    }

    /// The types that are left out: none of their samples is added, updated or deleted.
    public var excludedTypes: Set<AnySampleType> {
        get { state.withLock { $0.excluded } }
        set { state.withLock { $0.excluded = newValue } }
    }

    /// The types that were added by themselves, in this order.
    public var observedTypes: [AnySampleType] { state.withLock { $0.observers.compactMap(\.type) } }

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
                let observer = SyncObserver(type, store, anchors)
                let isKnown = state.observers.contains {
                    $0.type == type && $0.requiredTypes(type) == observer.requiredTypes(type)
                }
                if !isKnown { state.observers.append(observer) }
            }
        }
    }

    /// Adds observers of all types for a store: of those that a source has, and of those that the store has anchors of.
    ///
    /// A type that is also added by itself is observed for the store that it was added to.
    public func addAllTypes<Store: TransactionalStore>(to store: Store) {
        state.withLock { $0.observers.append(SyncObserver(nil, store, store)) }
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
        let types = state.withLock { state in
            state.observers.flatMap { observer in observer.type.map(observer.requiredTypes) ?? [] }
        }
        try await requestPermissions(for: types, in: store)
    }

    /// Brings the external stores in step with a source.
    ///
    /// The source is first compared with the people whose samples a store has, by the sums of spans, to find out whose samples
    /// these are and where they differ; an archive states these sums, so that one that is unchanged is not read. Those of another person are kept apart or refused, and so is, unless ``terms`` allow it, an export that is older or would delete most of
    /// what is there. Nothing is deleted if the
    /// source is known to be a part of an export.
    ///
    /// - Parameters:
    ///   - isDry: Whether to only count what would change.
    ///   - isResetting: Whether to forget the anchors of the person first, so that everything is compared with the store.
    /// - Returns: What was changed.
    /// - Throws: ``SyncError``, `doubtful` before anything was changed; the first error of a store or of the source, and what
    ///   was done until then is kept.
    @discardableResult
    public func synchronize(
        with store: any HealthStore, isDry: Bool = false, isResetting: Bool = false
    ) async throws -> SyncReport {
        let state = state.withLock { $0 }
        guard !state.targets.isEmpty else { throw SyncError(.noSpecifiedTypes) }
        // It is read twice: to find out whose it is, and what has changed.
        (store as? ExportStore)?.keepSamples()
        let isPartial = try await store.isPartial()
        let choices = try await SubjectChoice.choices(
            state.targets, store, state.terms, isPartial: isPartial, isResetting: isResetting)
        var report = SyncReport()
        report.isPartial = isPartial
        for choice in choices { report.add(choice.changes ?? [:]) }
        if isDry {
            // All samples of a person who is not known are new.
            var unknown = choices.filter { $0.changes == nil }.map {
                ComparedSubject($0.target, $0.subject, deletes: false)
            }
            if !unknown.isEmpty { try await ComparedSubject.compare(&unknown, with: store) }
            for subject in unknown { report.add(subject.changes) }
        } else {
            let isUnchanged = choices.allSatisfy { $0.changes?.isEmpty == true } && !isResetting
            if !isUnchanged { report = try await change(with: store, choices, state, isResetting) }
            let exportDate = try await store.contents().exportDate?.seconds
            for choice in choices {
                var subject = choice.subject
                subject.exportDate = exportDate ?? subject.exportDate
                subject.content = state.terms.content
                if let target = choice.target.anchors as? any AnswerTarget {
                    var run = try await AnswerRun(
                        target, choice, with: store, isPartial: isPartial, isResetting: isResetting)
                    report.staleTypes.formUnion(try await run.update(subject))
                } else if !isUnchanged || subject != choice.known {
                    try await choice.target.anchors.save(subject)
                }
            }
        }
        for choice in choices {
            report.unmapped += await (choice.target.anchors as? FHIRTarget)?.unmapped ?? 0
        }
        report.people = choices.map(\.subject.person)
        report.isFurtherPerson = choices.contains(where: \.isFurtherPerson)
        return report
    }

    /// Brings the external stores in step with a source, each for the person that was chosen.
    private func change(
        with store: any HealthStore, _ choices: [SubjectChoice], _ state: State, _ isResetting: Bool
    ) async throws -> SyncReport {
        var people: [ObjectIdentifier: String] = [:]
        var places: SpanPlaces? = SpanPlaces()
        for choice in choices {
            let (anchors, person) = (choice.target.anchors, choice.subject.person)
            people[ObjectIdentifier(anchors)] = person
            // Until everything is there, nobody may take it for complete.
            try await anchors.save(Subject(person, exportDate: choice.subject.exportDate))
            if let differing = choice.places { places?.formUnion(differing) } else { places = nil }
        }
        var run = SyncRun(
            state.observers.map { observer in
                var observer = observer
                observer.person = people[ObjectIdentifier(observer.anchors)] ?? ""
                return observer
            }, batchSize: batchSize)
        run.hooks = state.hooks
        run.permitted = state.permitted
        run.excluded = state.excluded
        run.isResetting = isResetting
        run.places = isResetting ? nil : places
        return try await run.synchronize(with: store)
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
        for target in state.withLock({ $0.targets }) {
            for person in try await target.anchors.subjects().map(\.person) {
                let types = try await target.anchors.anchoredTypes(of: person).filter { target.selects($0) }
                try await target.anchors.removeAnchors(of: types, of: person)
            }
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
