package import SampleBatches

/// A batch that accepts no more rows and is ready to be written.
package struct ClosedBatch: Sendable {
    /// Its rows.
    package let columns: ColumnBatch
    /// The size of its rows, as limits count it.
    package let rowSize: Int
    /// The size of the contexts of all of its kinds of rows, in bytes.
    package let contextSize: Int

    /// What it contains.
    package var key: SampleBatch.Key { columns.key }
}
