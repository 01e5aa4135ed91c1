import ByteText
import HealthModel
import HealthQueries
import SampleBatches

/// What keeps the samples of a type, or of all types, in step with a target.
struct SyncObserver: Sendable {
    /// What batches of all observers are applied with.
    struct Hooks: Sendable {
        var delegate: (any SyncDelegate)?
        var converter: (any SampleConverter)?
    }

    /// Applies a batch of a person, and then saves the pages.
    ///
    /// It throws ``SyncError``, `unsuitable` if the target cannot store one of the samples; nothing is saved then.
    typealias Apply =
        @Sendable (_ batch: SyncBatch, [AnchorPage], _ person: String, Hooks) async throws -> SyncCounts

    /// The type; nil for all.
    let type: AnySampleType?
    /// Where the anchors rest.
    let anchors: any AnchorStore
    /// Whose samples they are.
    var person = ""
    /// Returns the types that must be permitted for a type.
    var requiredTypes: @Sendable (AnySampleType) -> [AnySampleType] = { [$0] }
    /// Returns whether a sample is synchronised; nil if all are.
    var isWanted: (@Sendable (AnySample) -> Bool)?
    let apply: Apply
}

extension SyncObserver {
    /// Makes an observer for an external store.
    init<Store: ExternalStore>(_ type: AnySampleType?, _ store: Store, _ anchors: any AnchorStore) {
        self.init(type: type, anchors: anchors, requiredTypes: { Store.Object.requiredTypes(for: $0) }) {
            batch, pages, person, hooks in
            let synchronizer = Synchronizer(store, delegate: hooks.delegate, converter: hooks.converter)
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

    /// Returns whether a type may be synchronised, where only some types are permitted.
    func isPermitted(_ type: AnySampleType, in permitted: Set<AnySampleType>?) -> Bool {
        permitted.map { $0.isSuperset(of: requiredTypes(type)) } ?? true
    }
}

extension AnchorStore {
    /// Returns the summaries of the pages of types, by span.
    func summaries(
        of types: [AnySampleType], of person: String
    ) async throws -> [SampleBatch.Key: [AnchorPage.Summary]] {
        var summaries: [SampleBatch.Key: [AnchorPage.Summary]] = [:]
        for type in types {
            for page in try await self.summaries(of: type, of: person) {
                summaries[page.span, default: []].append(page)
            }
        }
        return summaries
    }
}

extension [SampleBatch.Key: [AnchorPage.Summary]] {
    /// The sums of the spans.
    var sums: [SpanSum] { map { SpanSum($0.key, $0.value.sum) } }
}

extension [AnchorPage.Summary] {
    /// The sum of the pages.
    var sum: IdentitySum { reduce(into: IdentitySum()) { $0.add($1.sum) } }
}

/// The synchronisation of one type in one pass over a source.
struct TypeRun {
    private let type: AnySampleType
    private let observer: SyncObserver
    private let hooks: SyncObserver.Hooks
    private let batchSize: Int
    /// Whether to delete what the source does not have.
    private let deletes: Bool
    /// The summaries of the pages of the spans that the source was not yet compared in.
    private var summaries: [SampleBatch.Key: [AnchorPage.Summary]]
    /// The changes that do not fill a batch yet, and the pages that stand for them.
    private var gathered: (batch: SyncBatch, pages: [AnchorPage])
    /// The number of samples and identities in memory: all samples of a span are, as long as one of them is.
    private var held = 0
    private(set) var counts = SyncCounts()
    private(set) var batches = 0
    /// The identities of samples that the store cannot store.
    ///
    /// No page has them, so that the next run tries them again.
    private var leftOut: Set<UInt128> = []

    /// Loads the summaries of the type.
    ///
    /// - Parameter places: The spans that may differ; nil for all.
    init(
        _ type: AnySampleType, _ observer: SyncObserver, _ hooks: SyncObserver.Hooks, batchSize: Int,
        deletes: Bool, in places: SpanPlaces?
    ) async throws {
        self.type = type
        self.observer = observer
        self.hooks = hooks
        self.deletes = deletes
        self.batchSize = max(1, await hooks.delegate?.batchSize(of: type) ?? batchSize)
        gathered = (SyncBatch(of: type), [])
        summaries = try await observer.anchors.summaries(of: [type], of: observer.person)
        if let places { summaries = summaries.filter { places.contains($0.key) } }
    }

    /// Brings the objects of a span in step.
    mutating func synchronize(_ span: SpanSamples) async throws {
        let known = summaries.removeValue(forKey: span.key) ?? []
        if !known.isEmpty, known.sum == span.identitySum() { return }
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
        while let (batch, pages) = plan.next(batchSize - gathered.batch.count) {
            gathered.batch.deleted += batch.deleted
            gathered.batch.added += batch.added
            gathered.pages += pages
            let samples = batch.added.isEmpty ? 0 : samples?.count ?? 0
            held += max(samples, pages.total(\.identities.count))
            if gathered.batch.count >= batchSize || held >= batchSize { try await flush() }
        }
    }

    /// Applies the changes that were gathered.
    private mutating func flush() async throws {
        guard gathered.batch.count > 0 else { return }
        try Task.checkCancellation()
        let (batch, pages) = gathered
        (gathered, held) = ((SyncBatch(of: type), []), 0)
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
            counts += try await observer.apply(batch, saved, observer.person, hooks)
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
