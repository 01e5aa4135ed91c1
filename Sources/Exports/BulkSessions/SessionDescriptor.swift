import ByteText
import HealthExport
import HealthModel
import SampleBatches
import SystemIO

/// The stored description of a session.
struct SessionDescriptor: Sendable, Equatable {
    /// The terms of a session, which never change.
    struct Terms: FileRecord {
        var identifier = ""
        /// The name of the batch processor.
        var processor = ""
        /// The start rule, as described by ``ExportSessionStartDate``.
        var startRule = ""
        /// The start, determined by the rule when the session was created; nil for no limit.
        var start: Timestamp?
        /// The cut-off, fixed when the session was created.
        var end = Timestamp(seconds: 0, offsetMinutes: 0)
        var batchSize = BatchOptions.automatic
        var fingerprint = KeyedFingerprint()

        static let blank = Terms()
        static let fields: RecordFields<Terms> = [
            .version("version"), .field(\.identifier, "id", .text), .field(\.processor, "processor", .text),
            .field(\.startRule, "startRule", .text), .field(\.start, "start", .instant),
            .field(\.end, "end", .instant), .field(\.batchSize, "batching", .batching),
            .field(\.fingerprint, "fingerprint", .fingerprint),
        ]
    }

    /// The types that are read in one pass over the store, and the batches of that pass.
    ///
    /// How a span is split into parts depends on what is read with it, so types added later form a separate pass.
    struct Pass: Sendable, Equatable {
        var types: [String]
        var batches: Range<Int>
    }

    /// A batch and its result.
    struct Record: Sendable, Equatable {
        let plan: PlannedBatch
        var result: ExportBatch.Result?
    }

    var terms: Terms
    var passes: [Pass] = []
    var records: [Record] = []

    /// Creates the description of a session without types.
    init(terms: Terms) { self.terms = terms }

    /// Reads the entries of a session's file; nil if there are none.
    ///
    /// - Throws: `SessionError.unreadableState` if one is invalid; nil stands for a line that cannot be read.
    init?(_ entries: [SessionEntry?]) throws(SessionError) {
        guard let first = entries.first else { return nil }
        guard let terms = first?.terms else { throw .unreadableState }
        self.init(terms: terms)
        for entry in entries.dropFirst() {
            if let types = entry?.types, let plan = entry?.plan {
                add(types: types, plan)
            } else if let number = entry?.done, records.indices.contains(number) {
                records[number].result = .success
            } else if let number = entry?.failed, records.indices.contains(number), let error = entry?.error {
                records[number].result = .failure(errorDescription: error)
            } else {
                throw .unreadableState
            }
        }
    }

    /// All types of the session.
    var types: Set<ExactName> { Set(passes.lazy.flatMap(\.types).map { ExactName($0) }) }

    /// Adds a pass with the batches planned for it.
    mutating func add(types: [String], _ plan: [PlannedBatch]) {
        let start = records.count
        records += plan.map { Record(plan: $0) }
        passes.append(Pass(types: types, batches: start..<records.count))
    }

    /// Returns the query of a pass.
    func query(for pass: Pass) -> BatchQuery { Self.query(terms, types: pass.types) }

    static func query(_ terms: Terms, types: [String]) -> BatchQuery {
        BatchQuery(
            types: types.map { AnySampleType($0) }, from: terms.start, to: terms.end,
            batchSize: terms.batchSize)
    }

    /// Returns the public description of a batch.
    func batch(_ number: Int) -> ExportBatch {
        let record = records[number]
        let key = record.plan.key
        return ExportBatch(
            sampleType: key.sampleType, timeRange: timeRange(of: record.plan), part: key.part,
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
