public import HealthExport
import HealthModel
import Synchronization
import SystemIO

/// A named export that can be paused, killed, resumed, retried and extended.
///
/// Create it with ``BulkHealthExporter/session(withId:for:startDate:endDate:batchSize:using:)``.
public final class BulkExportSession<Processor: BatchProcessor>: BulkExportSessionProtocol {
    /// The session's name.
    public let sessionIdentifier: BulkExportSessionIdentifier
    let status: Mutex<SessionStatus>
    let store: any HealthStore
    let processor: Processor
    let journal: RecordLog<SessionEntry>
    /// The outputs that were not received before the last run ended; the next run sends them.
    let undelivered = Mutex<[(number: Int, output: Processor.Output)]>([])

    init(
        _ descriptor: SessionDescriptor, _ journal: RecordLog<SessionEntry>, store: any HealthStore,
        processor: Processor
    ) {
        sessionIdentifier = BulkExportSessionIdentifier(descriptor.terms.identifier)
        status = Mutex(SessionStatus(descriptor))
        self.store = store
        self.processor = processor
        self.journal = journal
    }

    /// The state of the session.
    public var state: BulkExportSessionState { status.withLock { $0.state } }
    /// The batches that are still to be processed.
    public var pendingBatches: [ExportBatch] { status.withLock { $0.batches { $0 == nil } } }
    /// The batches that were processed.
    public var completedBatches: [ExportBatch] { status.withLock { $0.batches { $0 == .success } } }
    /// The batches that failed and can be retried.
    public var failedBatches: [ExportBatch] {
        status.withLock { $0.batches { $0 != nil && $0 != .success } }
    }
    /// The total number of batches.
    public var numTotalBatches: Int { status.withLock { $0.descriptor.records.count } }
    /// The number of batches that were processed or failed.
    public var numProcessedBatches: Int { status.withLock { $0.numCompleted + $0.numFailed } }
    /// The progress; nil unless the session is running.
    public var progress: BulkExportProgress? { status.withLock { $0.progress } }
    /// The error that ended the last run early; nil if there was none.
    public var interruption: (any Error)? { status.withLock { $0.interruption } }

    /// Starts or resumes the session.
    ///
    /// - Parameters:
    ///   - retryFailedBatches: Whether to retry batches that failed.
    ///   - concurrencyLevel: The number of batches to process at a time.
    /// - Returns: The outputs of the batch processor; see ``BulkExportOutputs``.
    /// - Throws: ``StartSessionError``.
    @discardableResult
    public func start(
        retryFailedBatches: Bool = false, concurrencyLevel: BulkExportConcurrencyLevel = .automatic
    ) throws(StartSessionError) -> BulkExportOutputs<Processor.Output> {
        let channel = OutputChannel<Processor.Output>()
        try begin(retryFailedBatches, concurrencyLevel, channel)
        return BulkExportOutputs(channel)
    }

    private func begin(
        _ retryFailedBatches: Bool, _ concurrencyLevel: BulkExportConcurrencyLevel,
        _ channel: OutputChannel<Processor.Output>
    ) throws(StartSessionError) {
        let failure: StartSessionError? = status.withLock { status in
            if let failure = status.begin(retryingFailed: retryFailedBatches) { return failure }
            // A run that is stopping must not wait for its outputs to be received.
            status.stopWaiting = { channel.stop() }
            status.task = Task {
                var run = SessionRun(self, width: concurrencyLevel.width, channel)
                await run.run()
            }
            return nil
        }
        if let failure { throw failure }
    }

    /// Stops a running session and returns when all work has stopped.
    ///
    /// The batch processor must not call this method, which waits for the processor's work.
    public func pause() async { await stop(.paused) }

    /// Stops the session for good.
    func terminate() async { await stop(.terminated) }

    private func stop(_ requestedState: BulkExportSessionState) async {
        let task = status.withLock { status in
            status.stop(requestedState)
            return status.task
        }
        await task?.value
    }

    /// Waits until the session is not running and returns its state.
    ///
    /// A session with a consumer makes progress only while its outputs are being received.
    @discardableResult
    public func finished() async -> BulkExportSessionState {
        await status.withLock { $0.task }?.value
        return state
    }
}

extension BulkExportSession where Processor.Output == Void {
    /// Starts or resumes the session; its batch processor has no outputs.
    ///
    /// - Parameters:
    ///   - retryFailedBatches: Whether to retry batches that failed.
    ///   - concurrencyLevel: The number of batches to process at a time.
    /// - Throws: ``StartSessionError``.
    public func start(
        retryFailedBatches: Bool = false, concurrencyLevel: BulkExportConcurrencyLevel = .automatic
    ) throws(StartSessionError) {
        let channel = OutputChannel<Void>()
        channel.consumerLeft()
        try begin(retryFailedBatches, concurrencyLevel, channel)
    }
}
