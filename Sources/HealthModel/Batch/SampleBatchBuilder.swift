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
        batch.contentUses.append(0)
        contentNumbers[key] = batch.contents.count
        return batch.contents.count
    }

    /// Adds a row.
    ///
    /// - Parameters:
    ///   - context: The number of its context.
    ///   - content: The number of its content, 0 for none.
    ///   - position: Its place in the source, greater than that of the row before.
    ///   - start: When it starts.
    ///   - values: Its packed values.
    public mutating func append(
        context: Int, content: Int, position: Int, start: Timestamp?, values: Span<UInt8>
    ) {
        precondition(batch.count == 0 || position > batch.lastPosition, "positions ascend")
        let step = position - (batch.count == 0 ? 0 : batch.lastPosition)
        batch.rows.append(addingCapacity: 3 * Varint.longest + values.count) {
            (output: inout OutputSpan<UInt8>) in
            Varint.append(context, to: &output)
            Varint.append(content, to: &output)
            Varint.append(step, to: &output)
            output.append(copying: values)
        }
        if content > 0 { batch.contentUses[content - 1] += 1 }
        if batch.count == 0 { batch.firstPosition = position }
        batch.lastPosition = position
        batch.count += 1
        batch.first.lower(to: start)
        batch.last.raise(to: start)
    }

    /// Says when the rows start, where that was found out before.
    public mutating func setRange(first: Timestamp?, last: Timestamp?) {
        batch.first = first
        batch.last = last
    }
}
