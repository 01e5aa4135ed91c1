import HealthModel

/// A batch that takes no more rows and waits to be written.
struct ClosedBatch: Sendable {
    let key: SampleBatch.Key
    let contexts: [BatchContext]
    let contents: [[UInt8]]
    let count: Int
    let first: Timestamp?
    let last: Timestamp?
    let rows: [UInt8]

    /// The batch with its contexts and contents in the order of their first use, each once.
    func samples() -> SampleBatch {
        var builder = SampleBatchBuilder(key: key)
        var contextNumbers = [Int](repeating: -1, count: contexts.count)
        var contentNumbers = [Int](repeating: -1, count: contents.count)
        let bytes = rows.span
        var offset = 0
        var position = 0
        while offset < bytes.count {
            let context = RowCoding.read(bytes, at: &offset)
            if contextNumbers[context] < 0 { contextNumbers[context] = builder.number(of: contexts[context]) }
            let code = RowCoding.read(bytes, at: &offset)
            var content = 0
            if code == 1 {
                let length = RowCoding.read(bytes, at: &offset)
                content = builder.number(ofContent: bytes.extracting(offset..<(offset + length)).array)
                offset += length
            } else if code > 1 {
                if contentNumbers[code - 2] < 0 {
                    contentNumbers[code - 2] = builder.number(ofContent: contents[code - 2])
                }
                content = contentNumbers[code - 2]
            }
            position += RowCoding.read(bytes, at: &offset)
            let length = RowCoding.read(bytes, at: &offset)
            builder.append(
                context: contextNumbers[context], content: content, position: position, start: nil,
                values: bytes.extracting(offset..<(offset + length)))
            offset += length
        }
        builder.setRange(first: first, last: last)
        return builder.batch
    }
}
