import ByteText

extension SampleBatch {
    /// Returns a batch of the same rows, some of whose texts are others.
    ///
    /// - Parameters:
    ///   - contexts: One for each of its own, with the same columns.
    ///   - contents: One for each of its own.
    ///   - value: Returns another JSON token for a value, given the numbers of its context and slot; nil to leave it.
    /// - Returns: nil if a batch has no room for the texts.
    package func rewritten(
        contexts: [BatchContext], contents: [[UInt8]],
        value: (_ context: Int, _ slot: Int, _ token: Span<UInt8>) -> [UInt8]?
    ) -> SampleBatch? {
        precondition(
            contexts.count == self.contexts.count && contents.count == self.contents.count
                && zip(contexts, self.contexts).allSatisfy { $0.columns == $1.columns }, "the same rows")
        var batch = self
        batch.contexts = contexts
        batch.contents = contents
        let layout = RowLayout(contexts)
        var offset = 0
        while offset < cells.count {
            let context = cells[offset]
            offset += RowHead.cells
            for column in layout.columns[layout.ends[context]..<layout.ends[context + 1]] {
                defer { offset += 1 }
                guard !column.isTime else { continue }
                let token = text.span.extracting(TokenPlace(code: cells[offset]).range)
                guard let other = value(context, column.slot, token) else { continue }
                guard other.count < TokenPlace.limit - batch.text.count else { return nil }
                let start = batch.text.count
                batch.text += other
                batch.cells[offset] = TokenPlace(start..<batch.text.count).code
            }
        }
        return batch
    }
}
