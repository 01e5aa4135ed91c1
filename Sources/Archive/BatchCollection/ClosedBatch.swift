import ByteSpans
package import CivilTime
package import SampleBatches

/// A batch that accepts no more rows and is ready to be written.
package struct ClosedBatch: Sendable {
    package let key: SampleBatch.Key
    package let contexts: [BatchContext]
    package let count: Int
    package let first: Timestamp?
    let last: Timestamp?
    package let rows: [UInt8]

    /// Returns the batch, with each context and content listed once, in order of first use.
    package func samples() -> SampleBatch {
        var builder = SampleBatchBuilder(key: key, text: rows)
        var found: [(head: RowHead, place: Int)] = []
        found.reserveCapacity(count)
        var contextNumbers = [Int](repeating: -1, count: contexts.count)
        // The numbers of the contents that later rows refer to.
        var listed: [Int] = []
        let bytes = rows.span
        var offset = 0
        var position = 0
        while offset < bytes.count {
            let context = Varint.read(bytes, at: &offset)
            if contextNumbers[context] < 0 { contextNumbers[context] = builder.number(of: contexts[context]) }
            let code = Varint.read(bytes, at: &offset)
            var content = 0
            if code == 1 {
                let length = Varint.read(bytes, at: &offset)
                content = builder.number(ofContent: bytes.extracting(offset..<(offset + length)).array)
                if ListedContents.takes(length, after: listed.count) { listed.append(content) }
                offset += length
            } else if code > 1 {
                content = listed[code - 2]
            }
            position += Varint.read(bytes, at: &offset)
            let length = Varint.read(bytes, at: &offset)
            let head = RowHead(context: contextNumbers[context], content: content, position: position)
            found.append((head, offset))
            offset += length
        }
        builder.append(found)
        builder.setRange(first: first, last: last)
        return builder.batch
    }
}
