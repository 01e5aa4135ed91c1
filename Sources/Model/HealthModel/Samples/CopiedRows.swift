import ByteText
package import SampleBatches

extension Sequence<AnySample> {
    /// Returns batches with copies of the samples' rows, which keep nothing else in memory.
    ///
    /// The order of samples is that of their positions. Their batches are in no span.
    package func copiedBatches() -> [SampleBatch] {
        var batches: [SampleBatch] = []
        var builder: SampleBatchBuilder?
        for sample in sorted(by: { $0.position < $1.position }) {
            let (batch, place) = (sample.row.part.batch, sample.row.place)
            let row = batch.row(at: place.cell, position: place.position)
            if let full = builder, !full.takes(row, of: batch) {
                batches.append(full.batch)
                builder = nil
            }
            if builder == nil {
                let (key, part) = (batch.key, batches.count + 1)
                builder = SampleBatchBuilder(
                    key: SampleBatch.Key(element: key.element, type: key.type, span: "", part: part))
            }
            builder?.append(row, of: batch)
        }
        if let builder { batches.append(builder.batch) }
        return batches
    }
}

extension SampleBatchBuilder {
    /// Returns whether a row of another batch can be added.
    fileprivate func takes(_ row: BatchRow, of other: SampleBatch) -> Bool {
        let (own, key) = (batch.key, other.key)
        return ExactName(own.element) == ExactName(key.element) && ExactName(own.type) == ExactName(key.type)
            && takes(position: row.head.position) && hasRoom(for: other.longestValues)
    }
}

extension SampleBatch {
    /// At least as many bytes as the tokens of any row, with their quotes.
    fileprivate var longestValues: Int { tokenSize + cells.count * 2 }
}

extension Samples {
    /// The bytes that keeping any of the samples takes: those of all rows of their batches, and of the list of samples.
    package var memorySize: Int {
        storage.parts.total { $0.batch.memorySize }
            + storage.places.count * MemoryLayout<SampleStorage.Place>.stride
    }

    /// The number of rows of their batches.
    package var batchRows: Int { storage.parts.total { $0.batch.count } }
}
