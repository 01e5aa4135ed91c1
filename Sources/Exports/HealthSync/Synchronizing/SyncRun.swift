public import HealthModel
import HealthQueries

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
    /// Whose samples they are, by the names that the targets keep.
    public internal(set) var people: [String] = []
    /// Whether a target has samples of other people too, and none of this person before.
    public internal(set) var isFurtherPerson = false

    /// Adds the counts of types.
    mutating func add(_ changes: [AnySampleType: SyncCounts]) {
        for (type, counts) in changes { types[type, default: SyncCounts()] += counts }
    }

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
        return (single + further).filter { $0.isPermitted(type, in: permitted) }
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
