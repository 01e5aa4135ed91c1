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
    /// The batches that failed and wait to be tried again.
    var failedBatches: [ExportBatch] { get }
    /// The number of all batches.
    var numTotalBatches: Int { get }
    /// The number of batches that were processed or failed.
    var numProcessedBatches: Int { get }
    /// The progress; nil unless the session is running.
    var progress: BulkExportProgress? { get }
    /// The error that ended the last run early, because the store could not be read or has changed, or the session's
    /// state could not be written; nil if there was none.
    var interruption: (any Error)? { get }

    /// Stops a running session; returns when all work has stopped.
    ///
    /// Batches that are being processed are cancelled; those that do not finish stay pending. Does nothing to a session
    /// that is not running.
    func pause() async

    /// Waits until the session is not running, and returns its state.
    @discardableResult
    func finished() async -> BulkExportSessionState
}
