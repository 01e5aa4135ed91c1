import ByteSpans
public import CivilTime

/// Builds a batch from rows, numbering contexts and contents in the order in which they are requested.
///
/// If they are requested in the order of their first use, the same rows always produce the same batch.
public struct SampleBatchBuilder: Sendable {
    /// The batch so far.
    public private(set) var batch: SampleBatch
    /// The cells of the source batch.
    private var sourceCells: [Int] = []
    private var contextNumbers: [HashedBytes: Int] = [:]
    private var contentNumbers: [HashedBytes: Int] = [:]

    /// Starts with an empty batch.
    ///
    /// - Parameters:
    ///   - key: What the batch contains.
    ///   - text: The bytes with the tokens and packed values of rows; shorter than ``TokenPlace/limit``.
    public init(key: SampleBatch.Key, text: [UInt8] = []) {
        precondition(text.count < TokenPlace.limit, "places are below the limit")
        batch = SampleBatch(key: key)
        batch.text = text
    }

    /// Starts with an empty batch for rows of another batch, whose entire text it shares.
    public init(rowsOf source: SampleBatch) {
        self.init(key: source.key, text: source.text)
        sourceCells = source.cells
    }

    /// Returns the number of a context, adding it if it is new to the batch.
    public mutating func number(of context: BatchContext) -> Int {
        let key = HashedBytes(context.json)
        if let number = contextNumbers[key] { return number }
        let number = add(context)
        contextNumbers[key] = number
        return number
    }

    /// Adds a context without checking for duplicates, and returns its number.
    public mutating func add(_ context: BatchContext) -> Int {
        batch.contexts.append(context)
        return batch.contexts.count - 1
    }

    /// Returns the number, from 1, of a content, a JSON object, adding it if it is new to the batch.
    public mutating func number(ofContent json: [UInt8]) -> Int {
        let key = HashedBytes(json)
        if let number = contentNumbers[key] { return number }
        let number = add(content: json)
        contentNumbers[key] = number
        return number
    }

    /// Adds a content, a JSON object, without checking for duplicates, and returns its number.
    public mutating func add(content json: [UInt8]) -> Int {
        batch.contents.append(json)
        batch.tally.contentUses.append(0)
        return batch.contents.count
    }

    /// Returns whether a row at this position can be added: positions must ascend.
    public func takes(position: Int) -> Bool { batch.tally.takes(position: position) }

    /// Returns whether this many more bytes of packed values can be added.
    public func hasRoom(for count: Int) -> Bool { count < TokenPlace.limit - batch.text.count }

    /// Adds a row.
    ///
    /// - Parameters:
    ///   - head: Its context, content and position.
    ///   - start: When it starts.
    ///   - values: Its packed values.
    public mutating func append(_ head: RowHead, start: Timestamp?, values: Span<UInt8>) {
        precondition(hasRoom(for: values.count), "places are below the limit")
        let place = batch.text.count
        batch.text.append(copying: values)
        let (text, columns) = (batch.text, batch.contexts[head.context].columns)
        let (bytes, own) = (text.span, columns.span)
        batch.cells.append(addingCapacity: RowHead.cells + columns.count) {
            (output: inout OutputSpan<Int>) in
            batch.tally.append(head, to: &output)
            Self.unpack(own, bytes, at: place, to: &output)
        }
        batch.tally.extendRange(to: start)
    }

    /// Adds rows whose packed values are in the batch's text.
    ///
    /// Call ``setRange(first:last:)`` to set their starts.
    ///
    /// - Parameter rows: The head of each row and the offset of its values; rows must not share values.
    public mutating func append(_ rows: [(head: RowHead, place: Int)]) {
        guard !rows.isEmpty else { return }
        let (text, layout) = (batch.text, RowLayout(batch.contexts))
        let (bytes, columns, ends) = (text.span, layout.columns.span, layout.ends.span)
        let values = rows.reduce(0) { $0 + ends[$1.head.context + 1] - ends[$1.head.context] }
        batch.cells.append(addingCapacity: rows.count * RowHead.cells + values) {
            (output: inout OutputSpan<Int>) in
            for (head, place) in rows {
                batch.tally.append(head, to: &output)
                let own = columns.extracting(ends[head.context]..<ends[head.context + 1])
                Self.unpack(own, bytes, at: place, to: &output)
            }
        }
    }

    @inline(__always)
    private static func unpack(
        _ columns: Span<BatchContext.Column>, _ bytes: Span<UInt8>, at start: Int,
        to output: inout OutputSpan<Int>
    ) {
        var place = start
        for number in columns.indices {
            if columns[number].isTime {
                output.append(Varint.readSigned(bytes, at: &place))
            } else {
                let length = Varint.read(bytes, at: &place)
                output.append(TokenPlace(place..<(place + length)).code)
                place += length
            }
        }
    }

    /// Adds a row of the source batch; each row may be added only once.
    public mutating func append(_ head: RowHead, _ row: BatchRow) {
        batch.cells.append(addingCapacity: RowHead.cells + row.cells.count) {
            (output: inout OutputSpan<Int>) in
            batch.tally.append(head, to: &output)
            for cell in sourceCells[row.cells] { output.append(cell) }
        }
        batch.tally.extendRange(to: row.start)
    }

    /// Adds consecutive rows.
    ///
    /// - Parameters:
    ///   - count: Number of rows.
    ///   - values: Total number of their values.
    ///   - body: Appends the head and values of each row, and records its start.
    public mutating func append<Failure: Error>(
        count: Int, values: Int, _ body: (inout OutputSpan<Int>, inout RowTally) throws(Failure) -> Void
    ) throws(Failure) {
        guard count > 0 else { return }
        try batch.cells.append(addingCapacity: count * RowHead.cells + values) {
            (output: inout OutputSpan<Int>) throws(Failure) in
            try body(&output, &batch.tally)
        }
    }

    /// Sets the range of the rows' starts, if it is already known.
    public mutating func setRange(first: Timestamp?, last: Timestamp?) {
        batch.tally.first = first
        batch.tally.last = last
    }
}
