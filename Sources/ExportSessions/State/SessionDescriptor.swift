import HealthModel
import SampleBatches

/// Everything that is kept of a session.
struct SessionDescriptor: Sendable, Equatable {
    /// What a session was asked for; it never changes.
    struct Terms: Sendable, Equatable {
        var identifier: String
        /// The name of the batch processor.
        var processor: String
        /// The rule for the start, as ``ExportSessionStartDate`` describes it.
        var startRule: String
        /// Where the rule led when the session was created, nil for no limit.
        var start: Timestamp?
        /// The cut-off, fixed when the session was created.
        var end: Timestamp
        var batchSize: BatchOptions
        var fingerprint: KeyedFingerprint
    }

    /// Types that are read in one pass over the store, and the batches that it gives.
    ///
    /// What parts a span has depends on what is read with it, so that types that are added later are a pass of their own.
    struct Pass: Sendable, Equatable {
        var types: [String]
        var batches: Range<Int>
    }

    /// A batch and what became of it.
    struct Record: Sendable, Equatable {
        let plan: PlannedBatch
        var result: ExportBatch.Result?
    }

    var terms: Terms
    var passes: [Pass] = []
    var records: [Record] = []

    /// All types of the session.
    var types: Set<ExactName> { Set(passes.lazy.flatMap(\.types).map { ExactName($0) }) }

    /// Adds a pass with the batches planned for it.
    mutating func add(types: [String], _ plan: [PlannedBatch]) {
        let start = records.count
        records += plan.map { Record(plan: $0) }
        passes.append(Pass(types: types, batches: start..<records.count))
    }

    /// What the pass asks the store for.
    func query(for pass: Pass) -> SampleQuery { Self.query(terms, types: pass.types) }

    static func query(_ terms: Terms, types: [String]) -> SampleQuery {
        SampleQuery(
            types: types.map { .named($0) }, from: terms.start, to: terms.end, batchSize: terms.batchSize)
    }

    /// The batch for its owner.
    func batch(_ number: Int) -> ExportBatch {
        let record = records[number]
        let key = record.plan.key
        let identifier = SampleType.identifier(ofElement: key.element, type: key.type) ?? key.element
        return ExportBatch(
            sampleType: .named(identifier), timeRange: timeRange(of: record.plan), part: key.part,
            count: record.plan.count, result: record.result)
    }

    private func timeRange(of plan: PlannedBatch) -> Range<Int>? {
        guard let first = plan.first else { return nil }
        guard let span = terms.batchSize.rule(forType: plan.key.type).range(around: first) else {
            return terms.start.map { $0.seconds..<max($0.seconds, terms.end.seconds) }
        }
        let lower = max(span.lowerBound, terms.start?.seconds ?? span.lowerBound)
        return lower..<max(lower, min(span.upperBound, terms.end.seconds))
    }
}
