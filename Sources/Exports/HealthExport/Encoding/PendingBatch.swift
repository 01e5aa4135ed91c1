import AppleHealthExport
import ByteText
import HealthArchive
import HealthFormats
import SampleBatches

/// A batch that waits to be written.
enum PendingBatch: Sendable {
    /// Rows collected from a document.
    case collected(ClosedBatch)
    /// Rows that were read back.
    case read(SampleBatch)

    /// The batch as columns; rows that were read are written into them on each access.
    var columns: ColumnBatch {
        switch self {
        case .collected(let batch): batch.columns
        case .read(let batch): ColumnBatch(batch)
        }
    }

    /// The batch with its rows; columns are read back on each access.
    var samples: SampleBatch {
        get throws {
            switch self {
            case .collected(let batch): try batch.columns.samples()
            case .read(let batch): batch
            }
        }
    }

    /// What the manifest says of the batch; the identities of rows that were collected are known.
    var facts: BatchFacts {
        get throws {
            switch self {
            case .collected(let batch): try BatchFacts(batch.columns)
            case .read(let batch): try BatchFacts(batch)
            }
        }
    }

    /// The approximate size of its rows, in bytes.
    var rowSize: Int {
        switch self {
        case .collected(let batch): batch.rowSize
        case .read(let batch): batch.textSize + batch.count * MemoryLayout<Int>.size
        }
    }

    /// The size of its contexts, in bytes.
    var contextSize: Int {
        switch self {
        case .collected(let batch): batch.contextSize
        case .read(let batch): batch.contexts.total(\.json.count)
        }
    }
}
