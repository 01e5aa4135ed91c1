public import ByteText

extension SampleBatch {
    /// A row that is being visited.
    public struct Row: Sendable {
        /// Number of its context.
        public var context = 0
        /// Number of its content, 0 for none.
        public var content = 0
        /// Its position in the source.
        public var position = 0
        /// The number of the value's column, counted over the columns of all contexts.
        public var column = 0

        @inlinable init() {}
    }

    /// A value of a row.
    public enum Value: Sendable {
        /// The range of a JSON token in the batch's text.
        case token(Range<Int>)
        /// An instant in seconds.
        case instant(Int)
    }

    /// Visits all rows in order.
    ///
    /// - Parameters:
    ///   - startRow: Called at the start of each row.
    ///   - value: Called for each slot that is not constant, with its number and the batch's text.
    ///   - endRow: Called at the end of each row.
    @inlinable
    @inline(__always)
    public func forEachRow<Failure: Error>(
        startRow: (Row) throws(Failure) -> Void,
        value: (Row, _ slot: Int, Value, Span<UInt8>) throws(Failure) -> Void,
        endRow: (Row) throws(Failure) -> Void
    ) throws(Failure) {
        let layout = RowLayout(contexts)
        let (columns, ends) = (layout.columns.span, layout.ends.span)
        let (cells, text) = (self.cells.span, self.text.span)
        var row = Row()
        var offset = 0
        while offset < cells.count {
            row.context = cells[offset]
            row.content = cells[offset + 1]
            row.position += cells[offset + 2]
            offset += RowHead.cells
            try startRow(row)
            var seconds = 0
            row.column = ends[row.context]
            let end = ends[row.context + 1]
            while row.column < end {
                let column = columns[row.column]
                let cell = cells[offset]
                offset += 1
                if column.isTime {
                    seconds += cell
                    try value(row, column.slot, .instant(seconds), text)
                } else {
                    try value(row, column.slot, .token(TokenPlace(code: cell).range), text)
                }
                row.column += 1
            }
            try endRow(row)
        }
    }
}

/// The concatenated columns of all contexts of a batch, so that rows need not access their contexts.
@usableFromInline
struct RowLayout: Sendable {
    @usableFromInline var columns: [BatchContext.Column] = []
    /// Where the columns of each context start and, after the last one, where they end.
    @usableFromInline var ends = [0]

    @usableFromInline
    init(_ contexts: [BatchContext]) {
        for context in contexts {
            columns += context.columns
            ends.append(columns.count)
        }
    }
}

/// A row of a batch, for adding it to another batch.
public struct BatchRow: Sendable {
    /// Its context, content and position.
    public let head: RowHead
    /// When it starts.
    public let start: Timestamp?
    /// The cells of the batch that contain its values.
    let cells: Range<Int>

    /// The cell at which it starts; see ``RowIdentities``.
    public var cell: Int { cells.lowerBound - RowHead.cells }
}

extension BatchContext {
    /// The value that says when a row starts.
    fileprivate struct RowStart {
        /// Its number among the values of the row.
        let value: Int
        /// The offset of its time; nil if it is a text.
        let offsetMinutes: Int?
    }

    /// The first value that says when a row starts; nil if none does.
    fileprivate var rowStart: RowStart? {
        for (number, column) in columns.enumerated() {
            if !column.isTime {
                if column.slot == startTextSlot { return RowStart(value: number, offsetMinutes: nil) }
            } else if column.slot == startSlot, case .time(_, let offset) = slots[column.slot] {
                return RowStart(value: number, offsetMinutes: offset)
            }
        }
        return nil
    }
}

extension SampleBatch {
    /// Calls `body` with each row, in order.
    public func forEachBatchRow(_ body: (BatchRow) throws -> Void) rethrows {
        // Looked up once, so that rows need not access their contexts.
        let layout = RowLayout(contexts)
        let starts = contexts.map(\.rowStart)
        let (columns, ends) = (layout.columns.span, layout.ends.span)
        var offset = 0
        var position = 0
        while offset < cells.count {
            let context = cells[offset]
            let own = columns.extracting(ends[context]..<ends[context + 1])
            position += cells[offset + 2]
            let head = RowHead(context: context, content: cells[offset + 1], position: position)
            let values = (offset + RowHead.cells)..<(offset + RowHead.cells + own.count)
            let start = start(values, of: own, starts[context], context)
            try body(BatchRow(head: head, start: start, cells: values))
            offset = values.upperBound
        }
    }

    private func start(
        _ values: Range<Int>, of columns: Span<BatchContext.Column>, _ start: BatchContext.RowStart?,
        _ context: Int
    ) -> Timestamp? {
        guard let start else { return nil }
        guard let offsetMinutes = start.offsetMinutes else {
            let token = TokenPlace(code: cells[values.lowerBound + start.value]).range
            return contexts[context].start(ofToken: text.span.extracting(token))
        }
        var seconds = 0
        for value in 0...start.value where columns[value].isTime {
            seconds += cells[values.lowerBound + value]
        }
        return Timestamp(seconds: seconds, offsetMinutes: offsetMinutes)
    }

    /// Returns the size of the values of a row, as ``RowValues`` counts it.
    public func valuesSize(of row: BatchRow) -> Int {
        var size = 0
        for (column, cell) in zip(contexts[row.head.context].columns, cells[row.cells]) {
            size +=
                column.isTime
                ? RowValues.sizeOfTime : RowValues.size(ofToken: TokenPlace(code: cell).range.count)
        }
        return size
    }
}

extension SampleBatch {
    /// Returns a batch that contains only the row that starts at a cell.
    package func batch(ofRowAt cell: Int) -> SampleBatch {
        var builder = SampleBatchBuilder(key: key)
        builder.append(row(at: cell, position: 0), of: self)
        return builder.batch
    }

    /// Returns the row that starts at a cell.
    ///
    /// - Parameters:
    ///   - cell: The cell.
    ///   - position: The position of the row in the source.
    package func row(at cell: Int, position: Int) -> BatchRow {
        let context = contexts[cells[cell]]
        let columns = context.columns
        let values = (cell + RowHead.cells)..<(cell + RowHead.cells + columns.count)
        let head = RowHead(context: cells[cell], content: cells[cell + 1], position: position)
        let start = start(values, of: columns.span, context.rowStart, cells[cell])
        return BatchRow(head: head, start: start, cells: values)
    }
}
