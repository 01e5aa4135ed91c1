/// The progress of a running session.
public struct BulkExportProgress: Sendable, Equatable {
    /// The number of batches that were processed.
    public let numCompleted: Int
    /// The number of batches that failed.
    public let numFailed: Int
    /// The total number of batches.
    public let numTotal: Int
    /// The batches that are being processed.
    public let activeBatches: [ExportBatch]

    /// Creates a progress value.
    public init(numCompleted: Int, numFailed: Int, numTotal: Int, activeBatches: [ExportBatch] = []) {
        self.numCompleted = numCompleted
        self.numFailed = numFailed
        self.numTotal = numTotal
        self.activeBatches = activeBatches
    }

    /// The fraction of batches that were processed, from 0 to 1; 1 if there are no batches.
    public var completion: Double { numTotal == 0 ? 1 : Double(numCompleted) / Double(numTotal) }
}
