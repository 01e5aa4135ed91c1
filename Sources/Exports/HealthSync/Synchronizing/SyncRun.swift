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
    private let delegate: (any SyncDelegate)?
    private let converter: (any SampleConverter)?
    private let batchSize: Int
    private var report = SyncReport()
    /// The types that may be read; nil for all.
    var permitted: Set<AnySampleType>?

    init(_ delegate: (any SyncDelegate)?, _ converter: (any SampleConverter)?, batchSize: Int) {
        self.delegate = delegate
        self.converter = converter
        self.batchSize = batchSize
    }

    /// Synchronises types in the order of the source, and then those that it no longer has.
    ///
    /// - Parameters:
    ///   - observers: The observers of types.
    ///   - allTypes: The observers of all types that have no observer with the same required types.
    mutating func synchronize(
        _ observers: [any SyncObserving], _ allTypes: [any AllTypesObserving] = [],
        with store: any HealthStore
    ) async throws -> SyncReport {
        var remaining = Dictionary(grouping: observers.filter(isPermitted), by: \.type)
        guard !remaining.isEmpty || !allTypes.isEmpty else { throw SyncError(.noSpecifiedTypes) }
        report.isPartial = try await store.isPartial()
        let single = Dictionary(grouping: observers, by: \.type)
        var seen: Set<AnySampleType> = []
        var spans = store.spans(BatchQuery(types: allTypes.isEmpty ? Array(remaining.keys) : nil))
            .makeAsyncIterator()
        var pending = try await spans.next()
        while let first = pending {
            let type = first.type
            seen.insert(type)
            let others = further(allTypes, of: type, beside: single[type] ?? [])
            let observers = (remaining.removeValue(forKey: type) ?? []) + others
            do {
                var runs = try await begin(observers, in: store)
                while let span = pending, span.type == type {
                    for number in runs.indices { try await runs[number].synchronize(span) }
                    pending = try await spans.next()
                }
                try await finish(type, &runs)
            } catch {
                await delegate?.didFinishExecution(type, error: error)
                throw error
            }
        }
        guard !report.isPartial else { return report }
        for all in allTypes {
            for type in try await all.anchors.anchoredTypes(of: all.person) where !seen.contains(type) {
                remaining[type, default: []] += further([all], of: type, beside: single[type] ?? [])
            }
        }
        for (type, observers) in remaining.sorted(by: { $0.key.identifier < $1.key.identifier }) {
            do {
                var runs = try await begin(observers, in: store)
                try await finish(type, &runs)
            } catch {
                await delegate?.didFinishExecution(type, error: error)
                throw error
            }
        }
        return report
    }

    private func isPermitted(_ observer: any SyncObserving) -> Bool {
        permitted.map { $0.isSuperset(of: observer.requiredTypes) } ?? true
    }

    /// Returns the observers of a type that no single one stands for.
    private func further(
        _ allTypes: [any AllTypesObserving], of type: AnySampleType, beside single: [any SyncObserving]
    ) -> [any SyncObserving] {
        allTypes.map { $0.observer(of: type) }.filter { observer in
            isPermitted(observer) && !single.contains { $0.requiredTypes == observer.requiredTypes }
        }
    }

    private mutating func begin(
        _ observers: [any SyncObserving], in store: any HealthStore
    ) async throws -> [TypeRun] {
        guard let type = observers.first?.type else { return [] }
        if let delegate, await !delegate.shouldExecute(type) {
            report.cancelled.append(type)
            await delegate.didFinishExecution(type, error: SyncError(.operationCancelled, of: type))
            return []
        }
        // Without the preferred unit, values keep their own.
        try? await converter?.prepare(for: type, in: store)
        var runs: [TypeRun] = []
        for observer in observers {
            runs.append(
                try await TypeRun(
                    observer, delegate, converter, batchSize: batchSize, deletes: !report.isPartial))
        }
        return runs
    }

    private mutating func finish(_ type: AnySampleType, _ runs: inout [TypeRun]) async throws {
        guard !runs.isEmpty else { return }
        for number in runs.indices {
            try await runs[number].finish()
            report.batches += runs[number].batches
            if !runs[number].counts.isEmpty {
                report.types[type, default: SyncCounts()] += runs[number].counts
            }
        }
        await delegate?.didFinishExecution(type, error: nil)
    }
}
