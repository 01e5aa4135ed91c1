public import ByteText

/// An error thrown when two rows of one type have the same position in the source.
public struct DuplicatePosition: ClassifiedError, Sendable {}

/// Rows of one span on their way into another batch, in the order in which they arrived.
struct GatheredRows: Sendable {
    private var rows: [Row] = []
    /// The values of all rows.
    private var values = RowValues()
    private var size = Size(bytes: 0, line: 0)
    /// The bytes that they take in memory.
    private(set) var memory = 0

    /// The size of rows, as limits count it, and an upper bound on their size as lines.
    struct Size: Sendable {
        var bytes: Int
        var line: Int
    }

    /// A row that does not keep its original batch in memory.
    private struct Row: Sendable {
        let position: Int
        let start: Timestamp?
        let context: BatchContext
        let content: [UInt8]?
        /// Its values among those of all rows.
        let cells: Range<Int>
    }

    /// Returns whether another row of this size would exceed a limit.
    func isFull(for more: Size, _ options: BatchOptions) -> Bool {
        !rows.isEmpty
            && (size.bytes + more.bytes > options.byteLimit || rows.count >= options.rowLimit
                || size.line + more.line > BatchOptions.lineLimit)
    }

    /// Adds a row of a batch, with its content.
    ///
    /// - Returns: The bytes that it takes in memory.
    mutating func add(_ row: BatchRow, of batch: SampleBatch, _ content: [UInt8]?, _ more: Size) -> Int {
        let start = values.cells.count
        var seconds = 0
        values.startRow()
        let context = batch.contexts[row.head.context]
        for (column, cell) in zip(context.columns, batch.cells[row.cells]) {
            if column.isTime {
                seconds += cell
                values.append(instant: seconds)
            } else {
                values.append(token: batch.text.span.extracting(TokenPlace(code: cell).range))
            }
        }
        // Rows that follow each other mostly share their context.
        let contextSize = context === rows.last?.context ? 0 : context.memorySize
        rows.append(
            Row(
                position: row.head.position, start: row.start, context: context, content: content,
                cells: start..<values.cells.count))
        size.bytes += more.bytes
        size.line += more.line
        let taken =
            MemoryLayout<Row>.stride + row.cells.count * MemoryLayout<Int>.stride + more.bytes + contextSize
        memory += taken
        return taken
    }

    /// Returns the rows as a batch, in the order of their positions.
    ///
    /// - Throws: ``DuplicatePosition``.
    func batch(key: SampleBatch.Key) throws(DuplicatePosition) -> SampleBatch {
        var builder = SampleBatchBuilder(key: key)
        for row in rows.sorted(by: { $0.position < $1.position }) {
            guard builder.takes(position: row.position) else { throw DuplicatePosition() }
            let head = RowHead(
                context: builder.number(of: row.context),
                content: row.content.map { builder.number(ofContent: $0) } ?? 0, position: row.position)
            builder.append(
                head, start: row.start, cells: values.cells.span.extracting(row.cells),
                text: values.text.span)
        }
        return builder.batch
    }
}

extension DuplicatePosition {
    /// What it means.
    public var kind: ErrorKind { .damaged }
}
