public import HealthExport

/// A session with any type of batch processor.
public protocol BulkExportSessionProtocol: AnyObject, Sendable {
    /// The session's name.
    var sessionIdentifier: BulkExportSessionIdentifier { get }
    /// The state of the session.
    var state: BulkExportSessionState { get }
    /// The batches that are still to be processed.
    var pendingBatches: [ExportBatch] { get }
    /// The batches that were processed.
    var completedBatches: [ExportBatch] { get }
    /// The batches that failed and can be retried.
    var failedBatches: [ExportBatch] { get }
    /// The total number of batches.
    var numTotalBatches: Int { get }
    /// The number of batches that were processed or failed.
    var numProcessedBatches: Int { get }
    /// The progress; nil unless the session is running.
    var progress: BulkExportProgress? { get }
    /// The error that ended the last run early; nil if there was none.
    ///
    /// Possible causes: the store could not be read or has changed, or the session's state could not be written.
    var interruption: (any Error)? { get }

    /// Stops a running session and returns when all work has stopped.
    ///
    /// Cancels the batches that are being processed; those that do not finish stay pending. Does nothing if the session
    /// is not running.
    func pause() async

    /// Waits until the session is not running and returns its state.
    @discardableResult
    func finished() async -> BulkExportSessionState
}
