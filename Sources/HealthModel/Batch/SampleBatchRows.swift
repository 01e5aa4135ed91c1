extension SampleBatch {
    /// One row while it is visited.
    public struct Row: Sendable {
        /// Number of its context.
        public var context = 0
        /// Number of its content, 0 for none.
        public var content = 0
        /// Its place in the source.
        public var position = 0
        /// The distance to the place of the row before it; the place itself in the first row.
        public var positionStep = 0

        @inlinable init() {}
    }

    /// A value of a row.
    public enum Value: Sendable {
        /// The range of a JSON token among the packed bytes.
        case token(Range<Int>)
        /// An instant in seconds, and the difference to the time slot before it in the row (for the first one, to
        /// the first of the row before that has one).
        case instant(seconds: Int, step: Int)
    }

    /// Visits all rows in order.
    ///
    /// - Parameters:
    ///   - startRow: Called at the start of each row.
    ///   - value: Called for each slot that is no constant, with its number and the packed bytes.
    ///   - endRow: Called at the end of each row.
    @inlinable
    @inline(__always)
    public func forEachRow<Failure: Error>(
        startRow: (Row) throws(Failure) -> Void,
        value: (Row, _ slot: Int, Value, Span<UInt8>) throws(Failure) -> Void,
        endRow: (Row) throws(Failure) -> Void
    ) throws(Failure) {
        let bytes = rows.span
        var row = Row()
        var offset = 0
        var anchor = 0
        while offset < bytes.count {
            row.context = Varint.read(bytes, at: &offset)
            row.content = Varint.read(bytes, at: &offset)
            row.positionStep = Varint.read(bytes, at: &offset)
            row.position += row.positionStep
            try startRow(row)
            var previous: Int?
            let columns = contexts[row.context].columns
            for column in columns {
                if column.isTime {
                    let step = Varint.readSigned(bytes, at: &offset)
                    let seconds = (previous ?? 0) + step
                    let difference = previous == nil ? seconds - anchor : step
                    if previous == nil { anchor = seconds }
                    try value(row, column.slot, .instant(seconds: seconds, step: difference), bytes)
                    previous = seconds
                } else {
                    let length = Varint.read(bytes, at: &offset)
                    try value(row, column.slot, .token(offset..<(offset + length)), bytes)
                    offset += length
                }
            }
            try endRow(row)
        }
    }
}
