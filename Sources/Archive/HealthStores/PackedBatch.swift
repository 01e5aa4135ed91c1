import BatchCollection
import CivilTime
import DataCompression
import HealthFormats
import HealthModel
import SampleBatches

/// A batch that waits in memory, in the compressed columns of archives, until it is read.
///
/// An export is not sorted by time, so all batches of a query wait until the end of the pass. In this form they take a
/// third less memory than as compressed rows, and a fifth of that of rows.
struct PackedBatch: Sendable {
    /// The batch without its samples.
    let planned: PlannedBatch
    private let content: Content

    private enum Content: Sendable {
        /// A frame, and the length of its content.
        case columns([UInt8], length: Int)
        /// A batch with a record that is too large for the reader of columns.
        case rows(ClosedBatch)
    }

    /// Packs batches, with buffers that are reused.
    struct Packer: ~Copyable {
        private var columns = StoredBatchWriter()
        private var compressor: ZstandardCompressor

        init() throws(CompressionError) { compressor = try ZstandardCompressor() }

        mutating func pack(_ batch: ClosedBatch) throws(CompressionError) -> PackedBatch {
            let text = columns.write(batch.samples())
            let planned = PlannedBatch(key: batch.key, count: batch.count, first: batch.first?.seconds)
            guard text.count <= StoredBatchReader.largestText else {
                return PackedBatch(planned: planned, content: .rows(batch))
            }
            let frame = try compressor.compress(text.span, .columns, endingBlocksAt: columns.columnEnds)
            return PackedBatch(planned: planned, content: .columns(frame, length: text.count))
        }
    }

    /// Returns the samples of the batch.
    func samples() throws -> SampleBatch {
        switch content {
        case .rows(let batch): return batch.samples()
        case .columns(let frame, let length):
            var decompressor = try ZstandardDecompressor()
            var reader = StoredBatchReader()
            return try reader.read(try decompressor.decompress(frame.span, limit: length), lines: .max)
        }
    }
}
