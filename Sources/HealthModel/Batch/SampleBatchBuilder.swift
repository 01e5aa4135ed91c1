import ByteSpans

/// Makes a batch out of rows: contexts and contents get numbers in the order of their first use, so that the same rows
/// always make the same batch.
public struct SampleBatchBuilder: Sendable {
    private var contexts: [BatchContext] = []
    private var contents: [[UInt8]] = []
    private var contextNumbers: [HashedBytes: Int] = [:]
    private var contentNumbers: [HashedBytes: Int] = [:]
    private let key: SampleBatch.Key
    /// The rows as ``SampleBatch`` packs them.
    private var rows: [UInt8] = []
    private var tally = RowTally()

    /// Starts with an empty batch; its rows will take about `capacity` bytes.
    public init(key: SampleBatch.Key, capacity: Int = 0) {
        self.key = key
        rows.reserveCapacity(capacity)
    }

    /// The batch so far.
    public var batch: SampleBatch {
        var batch = SampleBatch(key: key)
        batch.contexts = contexts
        batch.contents = contents
        batch.contentUses = tally.contentUses
        batch.count = tally.count
        batch.firstPosition = tally.firstPosition
        batch.lastPosition = tally.lastPosition
        batch.first = tally.first
        batch.last = tally.last
        batch.rows = rows
        return batch
    }

    /// The number of a context.
    public mutating func number(of context: BatchContext) -> Int {
        let key = HashedBytes(context.json)
        if let number = contextNumbers[key] { return number }
        contexts.append(context)
        contextNumbers[key] = contexts.count - 1
        return contexts.count - 1
    }

    /// The number of a content, a JSON object; numbers start with 1.
    public mutating func number(ofContent json: [UInt8]) -> Int {
        let key = HashedBytes(json)
        if let number = contentNumbers[key] { return number }
        contents.append(json)
        tally.contentUses.append(0)
        contentNumbers[key] = contents.count
        return contents.count
    }

    /// A row at a place of the source may come next: it lies behind the last one.
    public func takes(position: Int) -> Bool { tally.takes(position: position) }

    /// Adds a row.
    ///
    /// - Parameters:
    ///   - head: What it is a row of.
    ///   - start: When it starts.
    ///   - values: Its packed values.
    public mutating func append(_ head: RowHead, start: Timestamp?, values: Span<UInt8>) {
        rows.append(addingCapacity: RowTally.longestHead + values.count) {
            (output: inout OutputSpan<UInt8>) in
            tally.append(head, to: &output)
            output.append(copying: values)
        }
        tally.note(start: start)
    }

    /// Adds rows one behind the other.
    ///
    /// - Parameters:
    ///   - count: How many.
    ///   - room: The packed values of all of them have at most so many bytes.
    ///   - body: Appends head and packed values of each row and tells when it starts.
    public mutating func append<Failure: Error>(
        count: Int, room: Int, _ body: (inout OutputSpan<UInt8>, inout RowTally) throws(Failure) -> Void
    ) throws(Failure) {
        // The last integer may write a little behind itself.
        try rows.append(addingCapacity: count * RowTally.longestHead + room + Varint.longest) {
            (output: inout OutputSpan<UInt8>) throws(Failure) in
            try body(&output, &tally)
        }
    }

    /// Says when the rows start, where that was found out before.
    public mutating func setRange(first: Timestamp?, last: Timestamp?) {
        tally.first = first
        tally.last = last
    }
}
