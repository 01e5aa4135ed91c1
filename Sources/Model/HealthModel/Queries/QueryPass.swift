import ByteText
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
    private let sizes: LargeSpan.Sizes
    private var batches: MemberSpans
    /// The first batch of the next span.
    private var pending: SampleBatch?
    /// The span whose windows are read.
    private var large: LargeSpan?
    private var found = 0
    private let contexts = SampleContexts()
    /// The rule for days and the range in seconds, once resolved.
    private var resolved: (days: Days, range: Range<Int>)?

    init(
        _ store: any HealthStore, _ request: SpanRequest, _ selection: RowSelection,
        sizes: LargeSpan.Sizes = LargeSpan.Sizes()
    ) {
        self.store = store
        self.selection = selection
        self.sizes = sizes
        batches = MemberSpans(store, request)
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

    /// Returns the parts of the next span, or of the next window of a large one; none after the last.
    private mutating func nextSpan() async throws -> [SampleBatch] {
        if let window = try await nextWindow() { return window }
        var parts = JoinedParts()
        var rows = 0
        while let batch = try await nextBatch() {
            if let key = parts.key, key.ofSpan != batch.key.ofSpan {
                pending = batch
                break
            }
            parts.append(batch)
            rows += sizes.rows(of: batch)
            if rows > sizes.mostRows, !batches.isReadingMembers, let key = parts.key,
                store.spanAgain(key, starts: nil) != nil
            {
                try await survey(parts.finish())
                return try await nextWindow() ?? []
            }
        }
        return parts.finish()
    }

    private mutating func nextBatch() async throws -> SampleBatch? {
        if let batch = pending.take() { return batch }
        return try await batches.next()
    }

    /// Surveys a large span: the parts that were read, and all others.
    private mutating func survey(_ parts: [SampleBatch]) async throws {
        guard let key = parts.first?.key else { return }
        var span = LargeSpan(key, sizes)
        for part in parts { span.survey(part) }
        while let batch = try await batches.next() {
            guard key.ofSpan == batch.key.ofSpan else {
                pending = batch
                break
            }
            span.survey(batch)
        }
        span.divide(newestFirst: selection.order == .newestFirst)
        large = span
    }

    /// Returns the rows of the next window of a large span that has any; nil if there is no such span, or no more of it.
    private mutating func nextWindow() async throws -> [SampleBatch]? {
        while let key = large?.key, let window = large?.next() {
            let starts = window.lowerBound.start...window.upperBound.start
            guard let span = store.spanAgain(key, starts: starts) else { break }
            var parts = JoinedParts()
            for try await batch in span {
                let rows = LargeSpan.rows(of: batch, in: window)
                if rows.count > 0 { parts.append(rows) }
            }
            let found = parts.finish()
            if !found.isEmpty { return found }
        }
        large = nil
        return nil
    }

    private mutating func samples(of parts: [SampleBatch]) async throws -> SampleStorage {
        let (days, range) = try await resolve()
        let lookback = selection.matching == .overlapping ? selection.lookback : 0
        let order = selection.order == .newestFirst ? SampleStorage.Order.newestStart : .start
        let limit = selection.limit.map { $0 - found }
        let hasPredicate = selection.predicate != .all
        if range == .min ..< .max, !hasPredicate, !selection.needsContent {
            return SampleStorage(parts, order, limit: limit, contexts: contexts)
        }
        let selection = selection
        var check: (part: Int, check: PredicateCheck)?
        return SampleStorage(parts, order, limit: limit, contexts: contexts) { number, part, row in
            if selection.needsContent, part.batch.contentNumber(at: row.cell) == 0 { return false }
            guard Self.isIn(range, part, row, days, lookback: lookback) else { return false }
            guard hasPredicate else { return true }
            if check?.part != number { check = (number, PredicateCheck(selection.predicate, part)) }
            return check?.check.isWanted(row) ?? true
        }
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
        guard let end = part.time(context.end, context, at: row.cell) else { return false }
        return end.seconds > range.lowerBound
    }
}
