import SystemIO

/// How many batches of a session are processed at a time.
public enum BulkExportConcurrencyLevel: Sendable, Equatable {
    /// One after the other.
    case disabled
    /// At most so many.
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
