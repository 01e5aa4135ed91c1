import ByteText
public import HealthModel
import HealthQueries
import SampleBatches

/// What a synchronisation has changed.
public struct SyncReport: Sendable {
    /// The counts by type; a type in which nothing was changed is missing.
    public internal(set) var types: [AnySampleType: SyncCounts] = [:]
    /// The number of batches.
    public internal(set) var batches = 0
    /// The types that the delegate did not let run.
    public internal(set) var cancelled: [AnySampleType] = []
    /// Whether the source lacks a part of what it was made from, so that nothing was deleted.
    public internal(set) var isPartial = false
    /// Why samples were left out, by type: the target's code for the reason, such as `HTTP status 422, invariant`.
    public internal(set) var reasons: [AnySampleType: String] = [:]
    /// The types whose days, nights, workouts or electrocardiograms in a database are not those of the samples: the source is a part of an
    /// export, or the database cannot store them.
    public internal(set) var staleTypes: Set<AnySampleType> = []
    /// The number of samples that a FHIR server has no resource for.
    public internal(set) var unmapped = 0
    /// Whose samples they are, by the names that the targets keep.
    public internal(set) var people: [String] = []
    /// Whether a target has samples of other people too, and none of this person before.
    public internal(set) var isFurtherPerson = false

    /// Adds the counts of types.
    mutating func add(_ changes: [AnySampleType: SyncCounts]) {
        for (type, counts) in changes { types[type, default: SyncCounts()] += counts }
    }

    /// Whether the target has everything that the source can give it.
    public var isComplete: Bool { reasons.isEmpty && (isPartial || staleTypes.isEmpty) }

    /// The counts of all types.
    public var total: SyncCounts {
        var total = SyncCounts()
        for counts in types.values { total += counts }
        return total
    }
}

/// One pass over a source, in which all observers are brought in step.
struct SyncRun {
    let observers: [SyncObserver]
    var hooks = SyncObserver.Hooks()
    let batchSize: Int
    /// Whether the anchors of each type are forgotten before it is synchronised.
    var isResetting = false
    /// The types that may be read; nil for all.
    var permitted: Set<AnySampleType>?
    /// The types that are left out.
    var excluded: Set<AnySampleType> = []
    /// The spans that may differ; nil for all.
    var places: SpanPlaces?
    private var report = SyncReport()

    init(_ observers: [SyncObserver], batchSize: Int) {
        self.observers = observers
        self.batchSize = batchSize
    }

    /// Synchronises types in the order of the source, and then those that it no longer has.
    mutating func synchronize(with store: any HealthStore) async throws -> SyncReport {
        var rest = Set(observers.compactMap(\.type)).filter { !observers(of: $0).isEmpty }
        let allTypes = observers.filter { $0.type == nil }
        guard !rest.isEmpty || !allTypes.isEmpty else { throw SyncError(.noSpecifiedTypes) }
        report.isPartial = try await store.isPartial()
        let query = places.map { BatchQuery($0) } ?? BatchQuery(types: allTypes.isEmpty ? Array(rest) : nil)
        var spans = places?.isEmpty == true ? nil : store.spans(query).makeAsyncIterator()
        var pending = try await spans?.next()
        var seen: Set<AnySampleType> = []
        while let type = pending?.type {
            seen.insert(type)
            try await synchronize(type, with: store) { runs in
                while let span = pending, span.type == type {
                    for number in runs.indices { try await runs[number].synchronize(span) }
                    pending = try await spans?.next()
                }
            }
        }
        guard !report.isPartial else { return report }
        for all in allTypes { rest.formUnion(try await all.anchors.anchoredTypes(of: all.person)) }
        for type in rest.subtracting(seen).sorted(by: { $0.identifier < $1.identifier }) {
            try await synchronize(type, with: store) { _ in }
        }
        return report
    }

    /// Returns the observers of a type; for the same required types, one of the type alone stands for those of all types.
    private func observers(of type: AnySampleType) -> [SyncObserver] {
        let single = observers.filter { $0.type == type }
        let further = observers.filter { observer in
            observer.type == nil
                && !single.contains { $0.requiredTypes(type) == observer.requiredTypes(type) }
        }
        return excluded.contains(type)
            ? [] : (single + further).filter { $0.isPermitted(type, in: permitted) }
    }

    /// Synchronises a type.
    ///
    /// - Parameter read: Passes the spans of the source.
    private mutating func synchronize(
        _ type: AnySampleType, with store: any HealthStore,
        reading read: (inout [TypeRun]) async throws -> Void
    ) async throws {
        do {
            var runs = try await begin(type, in: store)
            try await read(&runs)
            guard !runs.isEmpty else { return }
            for number in runs.indices {
                try await runs[number].finish()
                report.batches += runs[number].batches
                report.reasons[type] = runs[number].reason ?? report.reasons[type]
                if !runs[number].counts.isEmpty {
                    report.types[type, default: SyncCounts()] += runs[number].counts
                }
            }
        } catch {
            await hooks.delegate?.didFinishExecution(type, error: error)
            throw error
        }
        await hooks.delegate?.didFinishExecution(type, error: nil)
    }

    private mutating func begin(
        _ type: AnySampleType, in store: any HealthStore
    ) async throws -> [TypeRun] {
        let observers = observers(of: type)
        guard !observers.isEmpty else { return [] }
        if let delegate = hooks.delegate, await !delegate.shouldExecute(type) {
            report.cancelled.append(type)
            await delegate.didFinishExecution(type, error: SyncError(.operationCancelled, of: type))
            return []
        }
        // Without the preferred unit, values keep their own.
        try? await hooks.converter?.prepare(for: type, in: store)
        var runs: [TypeRun] = []
        for observer in observers {
            // One type after the other: until then, the anchors of the others tell whose samples are there.
            if isResetting { try await observer.anchors.removeAnchors(of: [type], of: observer.person) }
            runs.append(
                try await TypeRun(
                    type, observer, hooks, batchSize: batchSize, deletes: !report.isPartial, in: places))
        }
        return runs
    }
}

/// The synchronisation of one type in one pass over a source.
private struct TypeRun {
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
    /// The target's code for why samples were left out; nil if none were.
    private(set) var reason: String?
    /// Whether the target takes no more samples of the type.
    private var isGivenUp = false

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
        guard !isGivenUp else {
            counts.leftOut += batch.added.count
            return
        }
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
            switch error.code {
            case .unsuitableType(let code):
                (reason, isGivenUp) = (code, true)
                counts.leftOut += batch.added.count
                return
            case .unsuitable(let code): reason = code
            default: throw error
            }
            guard let first = batch.added.first else { throw error }
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
