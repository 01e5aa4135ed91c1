import SystemIO

/// The number of batches of a session that are processed at a time.
public enum BulkExportConcurrencyLevel: Sendable, Equatable {
    /// One at a time.
    case disabled
    /// At most this many.
    case limit(Int)
    /// As many as there are processors, four at most: a session shares the machine with others.
    case automatic

    var width: Int {
        switch self {
        case .disabled: 1
        case .limit(let count): max(1, count)
        case .automatic: min(CurrentProcess.processorCount, 4)
        }
    }
}
