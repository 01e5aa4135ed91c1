import ByteSpans

/// A row of a batch as it is packed, for those who put rows into other batches.
public struct PackedRow: Sendable {
    /// What it is a row of.
    public let head: RowHead
    /// When it starts.
    public let start: Timestamp?
    /// Its packed values.
    public let values: [UInt8]
}

extension SampleBatch {
    /// Visits the rows in order, as they are packed.
    public func forEachPackedRow(_ body: (PackedRow) throws -> Void) rethrows {
        let bytes = rows.span
        var offset = 0
        var position = 0
        while offset < bytes.count {
            let number = Varint.read(bytes, at: &offset)
            let content = Varint.read(bytes, at: &offset)
            position += Varint.read(bytes, at: &offset)
            let start = offset
            let context = contexts[number]
            let instant = Self.skipValues(bytes, &offset, context)
            let values = bytes.array(start..<offset)
            try body(
                PackedRow(
                    head: RowHead(context: number, content: content, position: position), start: instant,
                    values: values))
        }
    }

    /// Passes over the values of a row and gives its start.
    private static func skipValues(
        _ bytes: Span<UInt8>, _ offset: inout Int, _ context: BatchContext
    ) -> Timestamp? {
        var start: Timestamp?
        var previous = 0
        for column in context.columns {
            guard column.isTime else {
                let length = Varint.read(bytes, at: &offset)
                if column.slot == context.daySlot, context.startSlot == nil, length == 12 {
                    start = CivilDate(bytes.extracting((offset + 1)..<(offset + 11))).map {
                        Timestamp(seconds: $0.daysSince1970 * 86400, offsetMinutes: 0)
                    }
                }
                offset += length
                continue
            }
            previous += Varint.readSigned(bytes, at: &offset)
            if column.slot == context.startSlot, case .time(_, let offsetMinutes) = context.slots[column.slot]
            {
                start = Timestamp(seconds: previous, offsetMinutes: offsetMinutes)
            }
        }
        return start
    }
}
