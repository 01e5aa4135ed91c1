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
    private let isDry: Bool
    private var report = SyncReport()

    init(
        _ delegate: (any SyncDelegate)?, _ converter: (any SampleConverter)?, batchSize: Int, isDry: Bool
    ) {
        self.delegate = delegate
        self.converter = converter
        self.batchSize = batchSize
        self.isDry = isDry
    }

    /// Synchronises the observers' types in the order of the source, and then those that it no longer has.
    mutating func synchronize(
        _ observers: [any SyncObserving], with store: any HealthStore
    ) async throws -> SyncReport {
        var remaining = Dictionary(grouping: observers, by: \.type)
        var spans = store.spans(BatchQuery(types: Array(remaining.keys))).makeAsyncIterator()
        var pending = try await spans.next()
        while let first = pending {
            let runs = try await begin(remaining.removeValue(forKey: first.type) ?? [], in: store)
            let type = first.type
            do {
                var runs = runs
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
        for (type, observers) in remaining.sorted(by: { $0.key.identifier < $1.key.identifier }) {
            var runs = try await begin(observers, in: store)
            do { try await finish(type, &runs) } catch {
                await delegate?.didFinishExecution(type, error: error)
                throw error
            }
        }
        return report
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
                try await TypeRun(observer, delegate, converter, batchSize: batchSize, isDry: isDry))
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
