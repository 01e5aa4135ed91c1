public import ByteText

/// Regroups the rows of stored batches into batches with other spans or sizes, or a subset of the rows.
///
/// It receives the batches of one element and type in the order of their spans, so a new span is known to be complete
/// as soon as a batch of a later old span arrives. Rows that wait for that take a fixed amount of memory; where more of
/// them wait, they do so as `Waiting`.
public struct BatchRegrouping<Waiting: Sendable>: Sendable {
    /// A batch that is complete.
    public enum Part: Sendable {
        case batch(SampleBatch)
        /// A batch that had to wait for others.
        case waiting(Waiting)
    }

    private let options: BatchOptions
    private let isWanted: @Sendable (Timestamp?) -> Bool
    private let keep: @Sendable (SampleBatch) throws -> Waiting
    private var key = SampleBatch.Key(element: "", type: "", span: "", part: 0)
    private var rule = SpanRule.all
    private var open: [CalendarSpan: GatheredRows] = [:]
    private var parts: [CalendarSpan: Int] = [:]
    /// The bytes that open rows take in memory.
    private var memory = 0
    /// The bytes that early parts take in memory.
    private var earlyMemory = 0
    private var ready: [Part] = []
    /// The span before which none is open.
    private var lowestSpan: CalendarSpan?
    /// Parts of incomplete spans, held back because parts of earlier spans must come first.
    private var early: [CalendarSpan: [Part]] = [:]

    /// The maximum number of bytes of all open rows, and of early parts; beyond this, parts are closed before their spans are
    /// complete, and put away.
    private let mostMemory: Int

    /// Starts regrouping.
    ///
    /// - Parameters:
    ///   - options: How the rows are grouped into batches.
    ///   - isWanted: Returns whether a row with this start is included.
    ///   - mostMemory: The bytes of rows and parts that wait in memory, each.
    ///   - keep: Puts a batch away until those before it are complete.
    public init(
        _ options: BatchOptions, where isWanted: @escaping @Sendable (Timestamp?) -> Bool,
        mostMemory: Int = 16 << 20, keep: @escaping @Sendable (SampleBatch) throws -> Waiting
    ) {
        self.options = options
        self.isWanted = isWanted
        self.mostMemory = mostMemory
        self.keep = keep
    }

    /// Returns the batches that are complete, and removes them.
    public mutating func removeReady() -> [Part] {
        defer { ready = [] }
        return ready
    }

    /// Starts the batches of another element and type, and closes all earlier ones.
    ///
    /// - Throws: ``DuplicatePosition``, or an error of the function that puts batches away.
    public mutating func begin(element: String, type: String) throws {
        try finish()
        key = SampleBatch.Key(element: element, type: type, span: "", part: 0)
        rule = options.rule(forType: type)
        parts = [:]
        lowestSpan = nil
    }

    /// Adds the rows of the next batch; these and all later rows must start at `lowest` or later.
    ///
    /// - Throws: ``DuplicatePosition``, or an error of the function that puts batches away.
    public mutating func append(_ batch: SampleBatch, lowest: Timestamp?) throws {
        if let lowest {
            lowestSpan = rule.span(of: lowest.seconds)
            try closeSpans(before: lowest.seconds)
        }
        let elementSize = BatchContext.lineSize(ofElement: key.element)
        try batch.forEachBatchRow { row in
            guard isWanted(row.start) else { return }
            let span = row.start.map { rule.span(of: $0.seconds) } ?? .undated
            let content = row.head.content == 0 ? nil : batch.contents[row.head.content - 1]
            let valuesSize = batch.valuesSize(of: row)
            let size = GatheredRows.Size(
                bytes: valuesSize + (content?.count ?? 0) + 8,
                line: batch.contexts[row.head.context].lineSize(
                    texts: valuesSize, content: content?.count ?? 0) + elementSize)
            if open[span]?.isFull(for: size, options) == true { try makeEarlyPart(of: span) }
            memory += open[span, default: GatheredRows()].add(row, of: batch, content, size)
            if memory > mostMemory { try makeRoom() }
        }
    }

    /// Closes all batches.
    ///
    /// - Throws: ``DuplicatePosition``, or an error of the function that puts batches away.
    public mutating func finish() throws {
        for span in order(unfinished) { try close(span) }
    }

    private var unfinished: [CalendarSpan] { Array(Set(open.keys).union(early.keys)) }

    private mutating func closeSpans(before seconds: Int) throws {
        let first = rule.span(of: seconds)
        for span in order(unfinished) {
            if case (.numbered(let mine), .numbered(let theirs)) = (span, first), mine < theirs {
                try close(span)
            }
        }
    }

    /// Puts the largest open batches away, until half of the memory is free.
    private mutating func makeRoom() throws {
        let spans = order(Array(open.keys)).map { ($0, open[$0]?.memory ?? 0) }
        // A stable order, so that the same rows always make the same parts.
        let largest = spans.enumerated().sorted { ($1.element.1, $0.offset) < ($0.element.1, $1.offset) }
        for (_, (span, _)) in largest where memory > mostMemory / 2 {
            try makeEarlyPart(of: span)
        }
    }

    /// Sorts spans by time, those without a time last, so that the result does not depend on a dictionary's order.
    private func order(_ spans: [CalendarSpan]) -> [CalendarSpan] {
        func rank(_ span: CalendarSpan) -> (Int, Int) {
            switch span {
            case .numbered(let number): (0, number)
            case .all: (1, 0)
            case .undated: (2, 0)
            }
        }
        return spans.sorted { rank($0) < rank($1) }
    }

    /// Closes the last part of a span, and makes all of its parts ready.
    private mutating func close(_ span: CalendarSpan) throws {
        releaseEarly(span)
        if let batch = try removeBatch(of: span) { ready.append(.batch(batch)) }
    }

    private mutating func releaseEarly(_ span: CalendarSpan) {
        for part in early.removeValue(forKey: span) ?? [] {
            if case .batch(let batch) = part { earlyMemory -= batch.memorySize }
            ready.append(part)
        }
    }

    /// Creates a part from the rows that a span has so far, although more may come.
    private mutating func makeEarlyPart(of span: CalendarSpan) throws {
        guard let batch = try removeBatch(of: span) else { return }
        if span == lowestSpan {
            // No part of another span can come before it.
            releaseEarly(span)
            ready.append(.batch(batch))
            return
        }
        let isKept = earlyMemory + batch.memorySize > mostMemory
        if !isKept { earlyMemory += batch.memorySize }
        early[span, default: []].append(isKept ? .waiting(try keep(batch)) : .batch(batch))
    }

    private mutating func removeBatch(of span: CalendarSpan) throws(DuplicatePosition) -> SampleBatch? {
        guard let gathered = open.removeValue(forKey: span) else { return nil }
        memory -= gathered.memory
        key.span = rule.name(of: span)
        key.part = (parts[span] ?? 0) + 1
        parts[span] = key.part
        return try gathered.batch(key: key)
    }
}
