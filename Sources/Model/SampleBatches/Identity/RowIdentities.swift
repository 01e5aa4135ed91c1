/// Computes the identities of single rows of a batch.
public struct RowIdentities: Sendable {
    private let batch: SampleBatch
    private let starts: [SipHash128]
    private let included: [[Bool]]
    /// The hash of each content, preceded by one for no content.
    private let contents: [UInt128]

    /// Prepares to compute identities in a batch.
    public init(_ batch: SampleBatch) {
        self.batch = batch
        starts = batch.contexts.map { context in
            var hash = SipHash128()
            hash.update(context.identity(inElement: batch.key.element))
            return hash
        }
        contents = [0] + batch.contents.map { ContentIdentity.hash(of: $0) }
        included = batch.contexts.map { context in
            context.columns.map { RecordIdentity.includes(context.slots[$0.slot]) }
        }
    }

    /// Returns the identity of the row that starts at a cell, which is the same in every export.
    public func identity(at cell: Int) -> UInt128 {
        let context = batch.cells[cell]
        var hash = starts[context]
        hash.update(contents[batch.cells[cell + 1]])
        let text = batch.text.span
        var place = cell + RowHead.cells
        var seconds = 0
        for (column, isIncluded) in zip(batch.contexts[context].columns, included[context]) {
            if column.isTime {
                seconds += batch.cells[place]
                if isIncluded { hash.update(UInt64(bitPattern: Int64(seconds))) }
            } else if isIncluded {
                let range = TokenPlace(code: batch.cells[place]).range
                hash.update(UInt64(range.count))
                hash.update(text.extracting(range))
            }
            place += 1
        }
        return hash.finish()
    }
}
