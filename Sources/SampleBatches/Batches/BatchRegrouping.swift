/// Puts the rows of stored batches into other batches: of other spans or sizes, or of only some of the rows.
///
/// It takes the batches of one element and type in the order of their spans, so that a span of the new batches is
/// known to be complete as soon as a later one of the old ones comes.
public struct BatchRegrouping: Sendable {
    /// Two rows of one type claim the same place in the source.
    public struct PlaceTakenTwice: Error, Sendable {}

    /// Packed bytes of open batches together; more are given out before their spans are complete.
    private static let memory = 8 << 20

    private let options: BatchOptions
    private let isWanted: @Sendable (Timestamp?) -> Bool
    private var key = SampleBatch.Key(element: "", type: "", span: "", part: 0)
    private var rule = SpanRule.all
    private var open: [CalendarSpan: Gathered] = [:]
    private var parts: [CalendarSpan: Int] = [:]
    private var size = 0
    private var ready: [SampleBatch] = []

    /// A row that does not hold on to the batch that it came in.
    private struct Row: Sendable {
        let position: Int
        let start: Timestamp?
        let context: BatchContext
        let content: [UInt8]?
        let values: [UInt8]
    }

    /// Rows of one span, in the order in which they came.
    private struct Gathered: Sendable {
        var rows: [Row] = []
        var size = 0
        var lineSize = 0
    }

    /// Regroups rows.
    ///
    /// - Parameters:
    ///   - options: How they are put into batches.
    ///   - isWanted: Says of a row that starts then whether it is taken.
    public init(_ options: BatchOptions, where isWanted: @escaping @Sendable (Timestamp?) -> Bool) {
        self.options = options
        self.isWanted = isWanted
    }

    /// Batches that are complete.
    public mutating func takeReady() -> [SampleBatch] {
        defer { ready = [] }
        return ready
    }

    /// Starts with the batches of another element and type; all of the one before are complete.
    public mutating func begin(element: String, type: String) throws(PlaceTakenTwice) {
        try finish()
        key = SampleBatch.Key(element: element, type: type, span: "", part: 0)
        rule = options.rule(forType: type)
        parts = [:]
    }

    /// Takes the next batch; its rows start at `lowest` or later, and so do those of all that follow.
    public mutating func take(_ batch: SampleBatch, lowest: Timestamp?) throws {
        if let lowest { try closeSpans(before: lowest.seconds) }
        let elementSize = BatchContext.lineSize(ofElement: key.element)
        try batch.forEachBatchRow { row in
            guard isWanted(row.start) else { return }
            let span = row.start.map { rule.span(of: $0.seconds) } ?? .undated
            let content = row.head.content == 0 ? nil : batch.contents[row.head.content - 1]
            let values = batch.packedValues(of: row)
            let context = batch.contexts[row.head.context]
            let bytes = values.count + (content?.count ?? 0) + 8
            let lineSize =
                context.lineSize(texts: values.count, content: content?.count ?? 0) + elementSize
            if let gathered = open[span], !gathered.rows.isEmpty,
                gathered.size + bytes > options.byteLimit
                    || gathered.rows.count >= options.rowLimit
                    || gathered.lineSize + lineSize > BatchOptions.lineLimit
            {
                try close(span)
            }
            open[span, default: Gathered()].rows.append(
                Row(
                    position: row.head.position, start: row.start, context: context, content: content,
                    values: values))
            open[span, default: Gathered()].size += bytes
            open[span, default: Gathered()].lineSize += lineSize
            size += bytes
            if size > Self.memory { try closeLargest() }
        }
    }

    /// All batches are complete.
    public mutating func finish() throws(PlaceTakenTwice) {
        for span in order(Array(open.keys)) { try close(span) }
    }

    private mutating func closeSpans(before seconds: Int) throws(PlaceTakenTwice) {
        let first = rule.span(of: seconds)
        for span in order(Array(open.keys)) {
            if case (.numbered(let mine), .numbered(let theirs)) = (span, first), mine < theirs {
                try close(span)
            }
        }
    }

    private mutating func closeLargest() throws(PlaceTakenTwice) {
        let spans = order(Array(open.keys))
        if let largest = spans.max(by: { (open[$0]?.size ?? 0) < (open[$1]?.size ?? 0) }) {
            try close(largest)
        }
    }

    /// Spans by time, those without one last, whatever order a dictionary has them in.
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

    private mutating func close(_ span: CalendarSpan) throws(PlaceTakenTwice) {
        guard let gathered = open.removeValue(forKey: span) else { return }
        size -= gathered.size
        key.span = rule.name(of: span)
        key.part = (parts[span] ?? 0) + 1
        parts[span] = key.part
        var builder = SampleBatchBuilder(key: key)
        for row in gathered.rows.sorted(by: { $0.position < $1.position }) {
            guard builder.takes(position: row.position) else { throw PlaceTakenTwice() }
            let head = RowHead(
                context: builder.number(of: row.context),
                content: row.content.map { builder.number(ofContent: $0) } ?? 0, position: row.position)
            builder.append(head, start: row.start, values: row.values.span)
        }
        ready.append(builder.batch)
    }
}
