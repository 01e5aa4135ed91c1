import HealthModel
import Synchronization

/// An export with a name, that can be paused, killed, resumed, retried and extended.
///
/// It is made by ``BulkHealthExporter/session(withId:for:startDate:endDate:batchSize:using:)``.
public final class BulkExportSession<Processor: BatchProcessor>: BulkExportSessionProtocol {
    /// The session's name.
    public let sessionIdentifier: BulkExportSessionIdentifier
    let status: Mutex<SessionStatus>
    let store: any HealthStore
    let processor: Processor
    let journal: SessionJournal
    /// Outputs that nobody took before the last run ended, for the next one to hand on.
    let untaken = Mutex<[(number: Int, output: Processor.Output)]>([])

    init(
        _ descriptor: SessionDescriptor, _ journal: SessionJournal, store: any HealthStore,
        processor: Processor
    ) {
        sessionIdentifier = BulkExportSessionIdentifier(descriptor.terms.identifier)
        status = Mutex(SessionStatus(descriptor))
        self.store = store
        self.processor = processor
        self.journal = journal
    }

    /// What it is doing.
    public var state: BulkExportSessionState { status.withLock { $0.state } }
    /// Batches that are still to be processed.
    public var pendingBatches: [ExportBatch] { status.withLock { $0.batches { $0 == nil } } }
    /// Batches that were processed.
    public var completedBatches: [ExportBatch] { status.withLock { $0.batches { $0 == .success } } }
    /// Batches that failed and wait for being tried again.
    public var failedBatches: [ExportBatch] {
        status.withLock { $0.batches { $0 != nil && $0 != .success } }
    }
    /// Batches in all.
    public var numTotalBatches: Int { status.withLock { $0.descriptor.records.count } }
    /// Batches that were processed or failed.
    public var numProcessedBatches: Int { status.withLock { $0.numCompleted + $0.numFailed } }
    /// How far it is; nil unless it is running.
    public var progress: BulkExportProgress? { status.withLock { $0.progress } }
    /// What ended the last run before its time, nil where nothing did.
    public var interruption: (any Error)? { status.withLock { $0.interruption } }

    /// Starts the session, or goes on with it.
    ///
    /// - Parameters:
    ///   - retryFailedBatches: Batches that failed are tried again.
    ///   - concurrencyLevel: How many batches are processed at a time.
    /// - Returns: What the batch processor makes; see ``BulkExportOutputs``.
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
            // Who has been told to stop must not wait for room.
            status.stopWaiting = { channel.stop() }
            status.task = Task {
                var run = SessionRun(self, width: concurrencyLevel.width, channel)
                await run.run()
            }
            return nil
        }
        if let failure { throw failure }
    }

    /// Stops a running session; returns when all work has stopped.
    ///
    /// Not to be called by the batch processor, whose work it waits for.
    public func pause() async { await stop(.paused) }

    /// Stops the session for good.
    func terminate() async { await stop(.terminated) }

    private func stop(_ wish: BulkExportSessionState) async {
        let task = status.withLock { status in
            status.stop(wish)
            return status.task
        }
        await task?.value
    }

    /// Waits until the session is not running, and says what it is then.
    ///
    /// A session whose outputs are wanted runs only as long as they are taken.
    @discardableResult
    public func finished() async -> BulkExportSessionState {
        await status.withLock { $0.task }?.value
        return state
    }
}

extension BulkExportSession where Processor.Output == Void {
    /// Starts the session, or goes on with it; the batch processor makes nothing that could be handed on.
    ///
    /// - Parameters:
    ///   - retryFailedBatches: Batches that failed are tried again.
    ///   - concurrencyLevel: How many batches are processed at a time.
    /// - Throws: ``StartSessionError``.
    public func start(
        retryFailedBatches: Bool = false, concurrencyLevel: BulkExportConcurrencyLevel = .automatic
    ) throws(StartSessionError) {
        let channel = OutputChannel<Void>()
        channel.consumerLeft()
        try begin(retryFailedBatches, concurrencyLevel, channel)
    }
}
