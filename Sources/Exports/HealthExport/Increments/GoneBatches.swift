import SampleBatches

/// Puts samples that only earlier exports had into batches of their span.
struct GoneBatches {
    private let key: SampleBatch.Key
    private var builder: SampleBatchBuilder
    private var lineSize = 0
    /// The batches that are complete.
    private(set) var batches: [SampleBatch] = []

    /// Starts with no batches.
    ///
    /// - Parameter key: Element, type and span.
    init(_ key: SampleBatch.Key) {
        self.key = key
        builder = Self.builder(key, part: 1)
    }

    private static func builder(_ key: SampleBatch.Key, part: Int) -> SampleBatchBuilder {
        var key = key
        key.part = part
        return SampleBatchBuilder(key: key)
    }

    /// Adds a row of a batch.
    ///
    /// - Parameter position: The row's new position, as rows of different exports may have had the same one.
    mutating func add(_ row: BatchRow, of batch: SampleBatch, position: Int) {
        let context = batch.contexts[row.head.context]
        let content = row.head.content == 0 ? nil : batch.contents[row.head.content - 1]
        let valuesSize = batch.valuesSize(of: row)
        let size =
            context.lineSize(texts: valuesSize, content: content?.count ?? 0)
            + BatchContext.lineSize(ofElement: key.element)
        if builder.batch.count > 0,
            lineSize + size > BatchOptions.lineLimit || !builder.hasRoom(for: valuesSize)
        {
            endBatch()
        }
        let head = RowHead(
            context: builder.number(of: context), content: content.map { builder.number(ofContent: $0) } ?? 0,
            position: position)
        builder.append(head, row, of: batch)
        lineSize += size
    }

    /// Completes the last batch.
    mutating func endBatch() {
        var batch = builder.batch
        guard batch.count > 0 else { return }
        batch.isGone = true
        batches.append(batch)
        builder = Self.builder(key, part: batches.count + 1)
        lineSize = 0
    }
}
