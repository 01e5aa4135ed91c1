public import CivilTime

/// Regroups the rows of stored batches into batches with other spans or sizes, or a subset of the rows.
///
/// It receives the batches of one element and type in the order of their spans, so a new span is known to be complete
/// as soon as a batch of a later old span arrives.
public struct BatchRegrouping: Sendable {
    /// An error thrown when two rows of one type have the same position in the source.
    public struct DuplicatePosition: Error, Sendable {}

    /// The maximum number of bytes of values and contents in all open batches; beyond this, parts are closed before their spans are
    /// complete.
    private static let memory = 8 << 20

    private let options: BatchOptions
    private let isWanted: @Sendable (Timestamp?) -> Bool
    private var key = SampleBatch.Key(element: "", type: "", span: "", part: 0)
    private var rule = SpanRule.all
    private var open: [CalendarSpan: Gathered] = [:]
    private var parts: [CalendarSpan: Int] = [:]
    private var size = 0
    private var ready: [SampleBatch] = []
    /// Parts of incomplete spans, held back because parts of earlier spans must come first.
    private var early: [CalendarSpan: [SampleBatch]] = [:]

    /// A row that does not keep its original batch in memory.
    private struct Row: Sendable {
        let position: Int
        let start: Timestamp?
        let context: BatchContext
        let content: [UInt8]?
        /// Its values among those of all rows.
        let cells: Range<Int>
    }

    /// Rows of one span, in the order in which they arrived.
    private struct Gathered: Sendable {
        var rows: [Row] = []
        /// The values of all rows.
        var values = RowValues()
        var size = 0
        var lineSize = 0
    }

    /// Starts regrouping.
    ///
    /// - Parameters:
    ///   - options: How the rows are grouped into batches.
    ///   - isWanted: Returns whether a row with this start is included.
    public init(_ options: BatchOptions, where isWanted: @escaping @Sendable (Timestamp?) -> Bool) {
        self.options = options
        self.isWanted = isWanted
    }

    /// Returns the batches that are complete, and removes them.
    public mutating func removeReady() -> [SampleBatch] {
        defer { ready = [] }
        return ready
    }

    /// Starts the batches of another element and type, and closes all earlier ones.
    public mutating func begin(element: String, type: String) throws(DuplicatePosition) {
        try finish()
        key = SampleBatch.Key(element: element, type: type, span: "", part: 0)
        rule = options.rule(forType: type)
        parts = [:]
    }

    /// Adds the rows of the next batch; these and all later rows must start at `lowest` or later.
    public mutating func append(_ batch: SampleBatch, lowest: Timestamp?) throws {
        if let lowest { try closeSpans(before: lowest.seconds) }
        let elementSize = BatchContext.lineSize(ofElement: key.element)
        try batch.forEachBatchRow { row in
            guard isWanted(row.start) else { return }
            let span = row.start.map { rule.span(of: $0.seconds) } ?? .undated
            let content = row.head.content == 0 ? nil : batch.contents[row.head.content - 1]
            let valuesSize = batch.valuesSize(of: row)
            let context = batch.contexts[row.head.context]
            let bytes = valuesSize + (content?.count ?? 0) + 8
            let lineSize =
                context.lineSize(texts: valuesSize, content: content?.count ?? 0) + elementSize
            if let gathered = open[span], !gathered.rows.isEmpty,
                gathered.size + bytes > options.byteLimit
                    || gathered.rows.count >= options.rowLimit
                    || gathered.lineSize + lineSize > BatchOptions.lineLimit
            {
                try makePart(of: span)
            }
            let cells = open[span, default: Gathered()].values.append(row, of: batch)
            open[span, default: Gathered()].rows.append(
                Row(
                    position: row.head.position, start: row.start, context: context, content: content,
                    cells: cells))
            open[span, default: Gathered()].size += bytes
            open[span, default: Gathered()].lineSize += lineSize
            size += bytes
            if size > Self.memory { try closeLargest() }
        }
    }

    /// Closes all batches.
    public mutating func finish() throws(DuplicatePosition) {
        for span in order(unfinished) { try close(span) }
    }

    private var unfinished: [CalendarSpan] { Array(Set(open.keys).union(early.keys)) }

    private mutating func closeSpans(before seconds: Int) throws(DuplicatePosition) {
        let first = rule.span(of: seconds)
        for span in order(unfinished) {
            if case (.numbered(let mine), .numbered(let theirs)) = (span, first), mine < theirs {
                try close(span)
            }
        }
    }

    private mutating func closeLargest() throws(DuplicatePosition) {
        let spans = order(Array(open.keys))
        if let largest = spans.max(by: { (open[$0]?.size ?? 0) < (open[$1]?.size ?? 0) }) {
            try makePart(of: largest)
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
    private mutating func close(_ span: CalendarSpan) throws(DuplicatePosition) {
        try makePart(of: span)
        ready += early.removeValue(forKey: span) ?? []
    }

    /// Creates a part from the rows that a span has so far.
    private mutating func makePart(of span: CalendarSpan) throws(DuplicatePosition) {
        guard let gathered = open.removeValue(forKey: span) else { return }
        size -= gathered.size
        key.span = rule.name(of: span)
        key.part = (parts[span] ?? 0) + 1
        parts[span] = key.part
        let (cells, text) = (gathered.values.cells, gathered.values.text)
        var builder = SampleBatchBuilder(key: key)
        for row in gathered.rows.sorted(by: { $0.position < $1.position }) {
            guard builder.takes(position: row.position) else { throw DuplicatePosition() }
            let head = RowHead(
                context: builder.number(of: row.context),
                content: row.content.map { builder.number(ofContent: $0) } ?? 0, position: row.position)
            builder.append(
                head, start: row.start, cells: cells.span.extracting(row.cells), text: text.span)
        }
        early[span, default: []].append(builder.batch)
    }
}

extension RowValues {
    /// Appends the values of a row, and returns where their cells are.
    fileprivate mutating func append(_ row: BatchRow, of batch: SampleBatch) -> Range<Int> {
        let start = cells.count
        var seconds = 0
        startRow()
        for (column, cell) in zip(batch.contexts[row.head.context].columns, batch.cells[row.cells]) {
            if column.isTime {
                seconds += cell
                append(instant: seconds)
            } else {
                append(token: batch.text.span.extracting(TokenPlace(code: cell).range))
            }
        }
        return start..<cells.count
    }
}
