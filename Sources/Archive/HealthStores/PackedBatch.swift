import BatchCollection
import CivilTime
import DataCompression
import HealthModel
import SampleBatches

/// A batch that waits in memory, compressed, until it is read.
///
/// An export is not sorted by time, so all batches of a query wait until the end of the pass. There may be tens of
/// thousands, so that sorting them must not copy them.
final class PackedBatch: Sendable {
    private let batch: ClosedBatch
    private let rows: Rows

    private enum Rows: Sendable {
        case plain
        /// A frame, and the length of its content.
        case compressed([UInt8], length: Int)
    }

    /// Small batches are kept as they are: a frame of each would cost more time than it saves memory.
    private static let least = 1 << 10

    init(
        _ batch: ClosedBatch, _ compressor: inout ZstandardCompressor
    ) throws(CompressionError) {
        guard batch.rows.count >= Self.least else {
            self.batch = batch
            rows = .plain
            return
        }
        rows = .compressed(try compressor.compress(batch.rows.span), length: batch.rows.count)
        self.batch = batch.with(rows: [])
    }

    /// The batch, without its samples.
    var planned: PlannedBatch {
        PlannedBatch(key: batch.key, count: batch.count, first: batch.first?.seconds)
    }

    /// Returns the samples of the batch.
    func samples() throws(CompressionError) -> SampleBatch {
        guard case .compressed(let frame, let length) = rows else { return batch.samples() }
        var decompressor = try ZstandardDecompressor()
        return batch.with(rows: try decompressor.decompress(frame.span, limit: length)).samples()
    }
}
