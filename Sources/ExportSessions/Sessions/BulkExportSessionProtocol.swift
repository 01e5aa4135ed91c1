/// A session, whatever its batch processor makes.
public protocol BulkExportSessionProtocol: AnyObject, Sendable {
    /// The session's name.
    var sessionIdentifier: BulkExportSessionIdentifier { get }
    /// What it is doing.
    var state: BulkExportSessionState { get }
    /// Batches that are still to be processed.
    var pendingBatches: [ExportBatch] { get }
    /// Batches that were processed.
    var completedBatches: [ExportBatch] { get }
    /// Batches that failed and wait for being tried again.
    var failedBatches: [ExportBatch] { get }
    /// Batches in all.
    var numTotalBatches: Int { get }
    /// Batches that were processed or failed.
    var numProcessedBatches: Int { get }
    /// How far it is; nil unless it is running.
    var progress: BulkExportProgress? { get }
    /// What ended the last run before its time, nil where nothing did: the store could not be read, or the session's
    /// state not be written.
    var interruption: (any Error)? { get }

    /// Stops a running session; returns when all work has stopped.
    ///
    /// Batches that are being processed are cancelled; what they do not finish stays pending. Does nothing to a session
    /// that is not running.
    func pause() async

    /// Waits until the session is not running, and says what it is then.
    @discardableResult
    func finished() async -> BulkExportSessionState
}
