import ByteSpans
public import CivilTime

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

extension SampleBatch {
    /// Calls `body` with each row, in order.
    public func forEachBatchRow(_ body: (BatchRow) throws -> Void) rethrows {
        var offset = 0
        var position = 0
        while offset < cells.count {
            let context = contexts[cells[offset]]
            position += cells[offset + 2]
            let head = RowHead(context: cells[offset], content: cells[offset + 1], position: position)
            let values = (offset + RowHead.cells)..<(offset + RowHead.cells + context.columns.count)
            try body(BatchRow(head: head, start: start(values, context), cells: values))
            offset = values.upperBound
        }
    }

    private func start(_ values: Range<Int>, _ context: BatchContext) -> Timestamp? {
        var seconds = 0
        for (column, cell) in zip(context.columns, cells[values]) {
            if column.isTime {
                seconds += cell
                guard column.slot == context.startSlot,
                    case .time(_, let offsetMinutes) = context.slots[column.slot]
                else { continue }
                return Timestamp(seconds: seconds, offsetMinutes: offsetMinutes)
            } else if column.slot == context.daySlot, context.startSlot == nil {
                return CivilDate(token: text.span.extracting(TokenPlace(code: cell).range))?.start
            }
        }
        return nil
    }

    /// Returns the values of a row, packed.
    public func packedValues(of row: BatchRow) -> [UInt8] {
        var values = RowValues()
        var seconds = 0
        for (column, cell) in zip(contexts[row.head.context].columns, cells[row.cells]) {
            if column.isTime {
                seconds += cell
                values.append(instant: seconds)
            } else {
                values.append(token: text.span.extracting(TokenPlace(code: cell).range))
            }
        }
        return values.bytes
    }
}
