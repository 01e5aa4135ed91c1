import SystemIO

/// The number of batches that a session processes at a time.
public enum BulkExportConcurrencyLevel: Sendable, Equatable {
    /// One batch at a time.
    case disabled
    /// At most this many batches; values below 1 count as 1.
    case limit(Int)
    /// One batch per processor, up to four, because a session shares the machine with other programs.
    case automatic

    var width: Int {
        switch self {
        case .disabled: 1
        case .limit(let count): max(1, count)
        case .automatic: min(CurrentProcess.processorCount, 4)
        }
    }
}
