/// The parts of a span, with runs of small ones joined, because each batch takes kilobytes however few rows it has.
public struct JoinedParts: Sendable {
    private var parts: [SampleBatch] = []
    /// The small parts that follow the last of ``parts``.
    private var joined: SampleBatchBuilder?
    /// The key of the first part; nil if there is none.
    public private(set) var key: SampleBatch.Key?

    /// The number of parts that are kept as they are, however small.
    private static let fewParts = 8
    /// The number of rows below which a part is small.
    private static let fewRows = 256

    /// Creates a list of no parts.
    public init() {}

    /// Adds a part.
    public mutating func append(_ batch: SampleBatch) {
        if key == nil { key = batch.key }
        guard parts.count >= Self.fewParts, batch.count < Self.fewRows else {
            close()
            parts.append(batch)
            return
        }
        if let builder = joined,
            builder.batch.count >= BatchOptions.defaultRowLimit
                || !builder.hasRoom(for: batch.tokenSize + 2)
                || !builder.takes(position: batch.firstPosition)
        {
            close()
        }
        var builder = joined.take() ?? SampleBatchBuilder(key: batch.key)
        builder.append(rowsOf: batch)
        joined = builder
    }

    /// Returns the parts.
    public mutating func finish() -> [SampleBatch] {
        close()
        return parts
    }

    private mutating func close() {
        if let builder = joined.take() { parts.append(builder.batch) }
    }
}

extension SampleBatchBuilder {
    /// Adds all rows of another batch, which must follow those of this one.
    fileprivate mutating func append(rowsOf batch: SampleBatch) {
        batch.forEachBatchRow { append($0, of: batch) }
    }

    /// Adds a copy of a row of another batch, which must follow the rows of this one.
    public mutating func append(_ row: BatchRow, of batch: SampleBatch) {
        let content = row.head.content == 0 ? 0 : number(ofContent: batch.contents[row.head.content - 1])
        let head = RowHead(
            context: number(of: batch.contexts[row.head.context]), content: content,
            position: row.head.position)
        append(head, row, of: batch)
    }

    /// Adds a copy of a row of another batch, with another head.
    public mutating func append(_ head: RowHead, _ row: BatchRow, of batch: SampleBatch) {
        let (cells, text) = (batch.cells, batch.text)
        append(head, start: row.start, cells: cells.span.extracting(row.cells), text: text.span)
    }
}
