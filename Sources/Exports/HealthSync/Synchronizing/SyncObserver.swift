import HealthModel
import HealthQueries
import SampleBatches

/// Keeps the samples of one type in step with an external store.
protocol SyncObserving: Sendable {
    /// The type.
    var type: AnySampleType { get }
    /// The types that must be permitted.
    var requiredTypes: [AnySampleType] { get }
    /// Where the anchors rest.
    var anchors: any AnchorStore { get }
    /// Whose samples they are.
    var person: String { get set }
    /// Returns whether a sample is synchronised; nil if all are.
    var isWanted: (@Sendable (AnySample) -> Bool)? { get }

    /// Applies a batch to the external store, and then saves the pages.
    ///
    /// - Throws: ``SyncError``, `unsuitable` if the store cannot store one of the samples; nothing is saved then.
    func apply(
        _ batch: SyncBatch, _ pages: [AnchorPage], _ delegate: (any SyncDelegate)?,
        _ converter: (any SampleConverter)?
    ) async throws -> SyncCounts
}

/// An observer of one type for a particular external store.
struct SyncObserver<Store: ExternalStore>: SyncObserving {
    let type: AnySampleType
    let store: Store
    let anchors: any AnchorStore
    var person = ""

    var requiredTypes: [AnySampleType] { Store.Object.requiredTypes(for: type) }
    var isWanted: (@Sendable (AnySample) -> Bool)? { nil }

    func apply(
        _ batch: SyncBatch, _ pages: [AnchorPage], _ delegate: (any SyncDelegate)?,
        _ converter: (any SampleConverter)?
    ) async throws -> SyncCounts {
        let synchronizer = Synchronizer(store, delegate: delegate, converter: converter)
        guard let store = store as? any TransactionalStore else {
            let counts = try await synchronizer.synchronize(batch)
            try await anchors.save(pages, of: person)
            return counts
        }
        try await store.begin(of: person)
        do {
            let counts = try await synchronizer.synchronize(batch)
            try await store.commit(saving: pages)
            return counts
        } catch {
            await store.rollBack()
            throw error
        }
    }
}

/// Keeps the samples of all types in step with an external store.
protocol AllTypesObserving: Sendable {
    /// Where the anchors rest.
    var anchors: any AnchorStore { get }
    /// Whose samples they are.
    var person: String { get set }

    /// Returns the observer of a type.
    func observer(of type: AnySampleType) -> any SyncObserving
}

/// The observers of all types for a particular external store.
struct AllTypesObserver<Store: ExternalStore>: AllTypesObserving {
    let store: Store
    let anchors: any AnchorStore
    var person = ""

    func observer(of type: AnySampleType) -> any SyncObserving {
        SyncObserver(type: type, store: store, anchors: anchors, person: person)
    }
}

/// The synchronisation of one type in one pass over a source.
struct TypeRun {
    private let observer: any SyncObserving
    private let delegate: (any SyncDelegate)?
    private let converter: (any SampleConverter)?
    private let batchSize: Int
    /// Whether to delete what the source does not have.
    private let deletes: Bool
    /// The summaries of the pages of the spans that the source was not yet compared in.
    private var summaries: [SampleBatch.Key: [AnchorPage.Summary]]
    /// The changes that do not fill a batch yet.
    private var gathered = GatheredChanges()
    private(set) var counts = SyncCounts()
    private(set) var batches = 0
    /// The identities of samples that the store cannot store.
    ///
    /// No page has them, so that the next run tries them again.
    private var leftOut: Set<UInt128> = []

    /// Loads the summaries of the type.
    init(
        _ observer: any SyncObserving, _ delegate: (any SyncDelegate)?, _ converter: (any SampleConverter)?,
        batchSize: Int, deletes: Bool, isResetting: Bool
    ) async throws {
        self.deletes = deletes
        self.observer = observer
        self.delegate = delegate
        self.converter = converter
        self.batchSize = max(1, await delegate?.batchSize(of: observer.type) ?? batchSize)
        let (type, person) = (observer.type, observer.person)
        // One type after the other: until then, the anchors of the others tell whose samples are there.
        if isResetting { try await observer.anchors.removeAnchors(of: [type], of: person) }
        let known = try await observer.anchors.summaries(of: type, of: person)
        summaries = Dictionary(grouping: known, by: \.span)
    }

    /// Brings the objects of a span in step.
    mutating func synchronize(_ span: SpanSamples) async throws {
        let known = summaries.removeValue(forKey: span.key) ?? []
        var sum = IdentitySum()
        for page in known { sum.add(page.sum) }
        if !known.isEmpty, sum == span.identitySum() { return }
        try await apply(span.key, span, known)
    }

    /// Removes the objects of the spans that the source no longer has, and applies what is left.
    mutating func finish() async throws {
        if deletes {
            for (key, known) in summaries.sorted(by: { $0.key < $1.key }) { try await apply(key, nil, known) }
        }
        summaries = [:]
        try await flush()
    }

    private mutating func apply(
        _ key: SampleBatch.Key, _ samples: SpanSamples?, _ known: [AnchorPage.Summary]
    ) async throws {
        let pages = known.isEmpty ? [] : try await observer.anchors.pages(known, of: observer.person)
        var plan = SpanPlan(
            key, samples, pages, capacity: Self.pageCapacity, deletes: deletes, where: observer.isWanted)
        while let (batch, pages) = plan.next(batchSize - gathered.count) {
            gathered.append(batch, pages, of: samples)
            if gathered.count >= batchSize || gathered.held >= batchSize { try await flush() }
        }
    }

    /// Applies the changes that were gathered.
    private mutating func flush() async throws {
        guard gathered.count > 0 else { return }
        try Task.checkCancellation()
        let batch = SyncBatch(of: observer.type, deleted: gathered.deleted, added: gathered.added)
        let pages = gathered.pages
        gathered = GatheredChanges()
        try await apply(batch, pages, without: [])
    }

    /// Applies a batch; if the store cannot store a sample of it, one half after the other, down to that sample, which is left
    /// out.
    ///
    /// - Parameters:
    ///   - pages: The pages after the whole batch and what follows it.
    ///   - later: The identities of what follows.
    private mutating func apply(
        _ batch: SyncBatch, _ pages: [AnchorPage], without later: Set<UInt128>
    ) async throws {
        var saved = pages
        for number in saved.indices {
            saved[number].identities.removeAll { leftOut.contains($0) || later.contains($0) }
        }
        // Additions alone empty no page: the store has none of these, and may not even be able to name them.
        if batch.deleted.isEmpty { saved.removeAll(where: \.identities.isEmpty) }
        do {
            counts += try await observer.apply(batch, saved, delegate, converter)
            batches += 1
        } catch let error as SyncError {
            guard case .unsuitable = error.code, let first = batch.added.first else { throw error }
            guard batch.added.count > 1 || !batch.deleted.isEmpty else {
                leftOut.insert(first.id.identity)
                counts.leftOut += 1
                return
            }
            let (one, other) = (
                batch.added.prefix(batch.added.count / 2), batch.added.dropFirst(batch.added.count / 2)
            )
            try await apply(
                SyncBatch(of: batch.type, deleted: batch.deleted, added: Array(one)), pages,
                without: later.union(other.map(\.id.identity)))
            try await apply(SyncBatch(of: batch.type, added: Array(other)), pages, without: later)
        }
    }

    /// The number of identities in a page.
    private static let pageCapacity = 1000
}

/// Changes of one or more spans that are applied together, and the pages that stand for them.
private struct GatheredChanges {
    private(set) var deleted: [SampleID] = []
    private(set) var added: [IdentifiedSample] = []
    private(set) var pages: [AnchorPage] = []
    /// The number of samples and identities in memory: all samples of a span are, as long as one of them is.
    private(set) var held = 0

    /// The number of changes.
    var count: Int { deleted.count + added.count }

    /// Appends changes of a span that has none here.
    mutating func append(_ batch: SyncBatch, _ pages: [AnchorPage], of span: SpanSamples?) {
        deleted += batch.deleted
        added += batch.added
        self.pages += pages
        let samples = batch.added.isEmpty ? 0 : span?.count ?? 0
        held += max(samples, pages.reduce(0) { $0 + $1.identities.count })
    }
}
