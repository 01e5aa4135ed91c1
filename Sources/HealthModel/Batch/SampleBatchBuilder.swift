import ByteSpans

/// Makes a batch out of rows: contexts and contents get numbers in the order of their first use, so that the same rows
/// always make the same batch.
public struct SampleBatchBuilder: Sendable {
    /// The batch so far.
    public private(set) var batch: SampleBatch
    private var contextNumbers: [HashedBytes: Int] = [:]
    private var contentNumbers: [HashedBytes: Int] = [:]

    /// Starts with an empty batch; its rows will take about `capacity` bytes.
    public init(key: SampleBatch.Key, capacity: Int = 0) {
        batch = SampleBatch(key: key)
        batch.rows.reserveCapacity(capacity)
    }

    /// The number of a context.
    public mutating func number(of context: BatchContext) -> Int {
        let key = HashedBytes(context.json)
        if let number = contextNumbers[key] { return number }
        batch.contexts.append(context)
        contextNumbers[key] = batch.contexts.count - 1
        return batch.contexts.count - 1
    }

    /// The number of a content, a JSON object; numbers start with 1.
    public mutating func number(ofContent json: [UInt8]) -> Int {
        let key = HashedBytes(json)
        if let number = contentNumbers[key] { return number }
        batch.contents.append(json)
        batch.tally.contentUses.append(0)
        contentNumbers[key] = batch.contents.count
        return batch.contents.count
    }

    /// A row at a place of the source may come next: it lies behind the last one.
    public func takes(position: Int) -> Bool { batch.tally.takes(position: position) }

    /// Adds a row.
    ///
    /// - Parameters:
    ///   - head: What it is a row of.
    ///   - start: When it starts.
    ///   - values: Its packed values.
    public mutating func append(_ head: RowHead, start: Timestamp?, values: Span<UInt8>) {
        batch.rows.append(addingCapacity: RowTally.longestHead + values.count) {
            (output: inout OutputSpan<UInt8>) in
            batch.tally.append(head, to: &output)
            output.append(copying: values)
        }
        batch.tally.note(start: start)
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
        try batch.rows.append(addingCapacity: count * RowTally.longestHead + room) {
            (output: inout OutputSpan<UInt8>) throws(Failure) in
            try body(&output, &batch.tally)
        }
    }

    /// Says when the rows start, where that was found out before.
    public mutating func setRange(first: Timestamp?, last: Timestamp?) {
        batch.tally.first = first
        batch.tally.last = last
    }
}
