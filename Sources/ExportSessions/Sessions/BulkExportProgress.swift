/// How far a running session is.
public struct BulkExportProgress: Sendable, Equatable {
    /// Batches that were processed.
    public let numCompleted: Int
    /// Batches that failed.
    public let numFailed: Int
    /// Batches in all.
    public let numTotal: Int
    /// Batches that are being processed.
    public let activeBatches: [ExportBatch]

    /// Makes a state.
    public init(numCompleted: Int, numFailed: Int, numTotal: Int, activeBatches: [ExportBatch] = []) {
        self.numCompleted = numCompleted
        self.numFailed = numFailed
        self.numTotal = numTotal
        self.activeBatches = activeBatches
    }

    /// The share of batches that were processed, 0 to 1; 1 where there are none.
    public var completion: Double { numTotal == 0 ? 1 : Double(numCompleted) / Double(numTotal) }
}
