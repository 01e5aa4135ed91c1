import BatchCollection
import ByteSpans
import SampleBatches

/// A batch that waits to be written.
enum PendingBatch: Sendable {
    /// Rows collected from a document.
    case collected(ClosedBatch)
    /// Rows that were read back.
    case read(SampleBatch)

    /// The batch; collected rows are turned into one on each access.
    var samples: SampleBatch {
        switch self {
        case .collected(let batch): batch.samples()
        case .read(let batch): batch
        }
    }

    /// The approximate size of its rows, in bytes.
    var rowSize: Int {
        switch self {
        case .collected(let batch): batch.rows.count
        case .read(let batch): batch.textSize + batch.count * MemoryLayout<Int>.size
        }
    }

    /// The size of its contexts, in bytes.
    var contextSize: Int {
        switch self {
        case .collected(let batch): batch.contexts.total(\.json.count)
        case .read(let batch): batch.contexts.total(\.json.count)
        }
    }
}
