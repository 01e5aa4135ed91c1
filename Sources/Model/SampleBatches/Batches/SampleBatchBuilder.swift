public import ByteText

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
    ///   - text: The bytes with the tokens of rows; shorter than ``TokenPlace/limit``.
    ///   - repeated: The bytes of values that share the place of another one.
    public init(key: SampleBatch.Key, text: [UInt8] = [], repeated: Int = 0) {
        precondition(text.count < TokenPlace.limit, "places are below the limit")
        batch = SampleBatch(key: key)
        batch.text = text
        batch.repeatedBytes = repeated
    }

    /// Starts with an empty batch for rows of another batch, whose entire text it shares.
    public init(rowsOf source: SampleBatch) {
        self.init(key: source.key, text: source.text, repeated: source.repeatedBytes)
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

    /// Returns whether this many more bytes of tokens can be added.
    public func hasRoom(for count: Int) -> Bool { count < TokenPlace.limit - batch.text.count }

    /// Adds the attributes of an element as a row.
    public mutating func append(_ attributes: AttributeReader, content: Int, position: Int) {
        let context = number(of: BatchContext(slots: attributes.slots))
        append(
            RowHead(context: context, content: content, position: position), start: attributes.start,
            values: attributes.values)
    }

    /// Adds a row.
    public mutating func append(_ head: RowHead, start: Timestamp?, values: RowValues) {
        append(head, start: start, cells: values.cells.span, text: values.text.span)
    }

    /// Adds a row.
    ///
    /// - Parameters:
    ///   - head: Its context, content and position.
    ///   - start: When it starts.
    ///   - cells: Its values; those between shared texts may lack their quotes.
    ///   - text: The bytes with its tokens.
    public mutating func append(
        _ head: RowHead, start: Timestamp?, cells: Span<Int>, text: Span<UInt8>
    ) {
        let context = batch.contexts[head.context]
        var own: [Int] = []
        own.reserveCapacity(context.columns.count)
        for (number, column) in context.columns.enumerated() {
            own.append(
                column.isTime
                    ? cells[number]
                    : add(text, TokenPlace(code: cells[number]).range, to: context.slots[column.slot]).code)
        }
        batch.cells.append(addingCapacity: RowHead.cells + own.count) { (output: inout OutputSpan<Int>) in
            batch.tally.append(head, to: &output)
            for cell in own { output.append(cell) }
        }
        batch.tally.extendRange(to: start)
    }

    /// Copies a token, and returns its place in the batch's text.
    private mutating func add(
        _ text: Span<UInt8>, _ range: Range<Int>, to slot: BatchContext.Slot
    ) -> TokenPlace {
        let start = batch.text.count
        let needsQuotes = slot.isEnclosed && text[range.lowerBound] != UInt8(ascii: "\"")
        precondition(hasRoom(for: range.count + (needsQuotes ? 2 : 0)), "places are below the limit")
        if needsQuotes { batch.text.append(UInt8(ascii: "\"")) }
        batch.text.append(copying: text.extracting(range))
        if needsQuotes { batch.text.append(UInt8(ascii: "\"")) }
        return TokenPlace(start..<batch.text.count)
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
}
