import CivilTime
import SampleBatches

/// The rows to select from the batches of a request.
struct RowSelection: Sendable {
    let range: QueryTimeRange
    let predicate: SamplePredicate
    let matching: RangeMatching
    /// The seconds before the range in which overlapping samples may start.
    let lookback: Int
    let order: SampleOrder
    let limit: Int?
    let days: Days?
    /// Whether to select only rows with nested content.
    let needsContent: Bool
}

/// One pass over the batches of a store that joins the parts of each span.
struct QueryPass: Sendable {
    private let store: any HealthStore
    private let selection: RowSelection
    private var batches: BatchSequence.Iterator
    /// The first batch of the next span.
    private var pending: SampleBatch?
    private var isAtEnd = false
    private var found = 0
    /// The rule for days and the range in seconds, once resolved.
    private var resolved: (days: Days, range: Range<Int>)?

    init(_ store: any HealthStore, _ request: SpanRequest, _ selection: RowSelection) {
        self.store = store
        self.selection = selection
        batches = store.spans(request).makeAsyncIterator()
    }

    /// Returns the selected samples of the next span that has any, nil after the last.
    mutating func next() async throws -> SampleStorage? {
        while true {
            if let limit = selection.limit, found >= limit { return nil }
            let parts = try await nextSpan()
            guard !parts.isEmpty else { return nil }
            let storage = try await samples(of: parts)
            guard storage.count > 0 else { continue }
            found += storage.count
            return storage
        }
    }

    private mutating func nextSpan() async throws -> [SampleBatch] {
        var parts: [SampleBatch] = []
        if let batch = pending.take() { parts.append(batch) }
        while !isAtEnd {
            guard let batch = try await batches.next() else {
                isAtEnd = true
                break
            }
            if let first = parts.first, !Self.isSameSpan(first.key, batch.key) {
                pending = batch
                break
            }
            parts.append(batch)
        }
        return parts
    }

    private static func isSameSpan(_ left: SampleBatch.Key, _ right: SampleBatch.Key) -> Bool {
        var other = right
        other.part = left.part
        return left == other
    }

    private mutating func samples(of parts: [SampleBatch]) async throws -> SampleStorage {
        let (days, range) = try await resolve()
        let lookback = selection.matching == .overlapping ? selection.lookback : 0
        var check: (part: Int, check: PredicateCheck)?
        let storage = SampleStorage(
            parts, selection.order == .newestFirst ? .newestStart : .start,
            limit: selection.limit.map { $0 - found }
        ) { number, part, row in
            if selection.needsContent, part.batch.contentNumber(at: row.cell) == 0 { return false }
            guard Self.isIn(range, part, row, days, lookback: lookback) else { return false }
            if selection.predicate == .all { return true }
            if check?.part != number { check = (number, PredicateCheck(selection.predicate, part)) }
            return check?.check.isWanted(row) ?? true
        }
        return storage
    }

    private mutating func resolve() async throws -> (days: Days, range: Range<Int>) {
        if let resolved { return resolved }
        let found: (days: Days, range: Range<Int>)
        if selection.range.isUnlimited {
            found = (selection.days ?? .utc, .min ..< .max)
        } else {
            let contents = try await store.contents()
            found = (
                selection.days ?? contents.days,
                selection.range.resolved(in: contents, days: selection.days)
            )
        }
        resolved = found
        return found
    }

    /// Returns whether a row is in the range; a day without a time starts at its midnight.
    private static func isIn(
        _ range: Range<Int>, _ part: SampleStorage.Part, _ row: RowPlace, _ days: Days, lookback: Int
    ) -> Bool {
        guard var start = row.start else { return range == .min ..< .max }
        if row.isDay { start = days.start(of: Timestamp(seconds: start, offsetMinutes: 0).day) }
        if range.contains(start) { return true }
        guard start < range.lowerBound, range.lowerBound - start <= lookback else { return false }
        let context = part.contexts[part.batch.context(at: row.cell)]
        if row.isDay { return start + 86400 > range.lowerBound }
        guard case .time(let count, _)? = context.end else { return false }
        return part.batch.seconds(at: row.cell, context.fields, count: count) > range.lowerBound
    }
}
