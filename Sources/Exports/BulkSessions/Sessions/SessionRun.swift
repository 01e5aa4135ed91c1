import HealthArchive
import HealthExport
import HealthModel
import SampleBatches
import Synchronization
import SystemIO

/// A run of a session, which reads the store once for each of the session's passes that has batches left to process.
struct SessionRun<Processor: BatchProcessor> {
    private let session: BulkExportSession<Processor>
    private let width: Int
    private let channel: OutputChannel<Processor.Output>
    /// The batches that are being processed, in order.
    private var running: [(number: Int, task: Task<Processor.Output, any Error>)] = []

    init(_ session: BulkExportSession<Processor>, width: Int, _ channel: OutputChannel<Processor.Output>) {
        self.session = session
        self.width = width
        self.channel = channel
    }

    /// Processes the pending batches and records how the run ended.
    mutating func run() async {
        var failure: (any Error)?
        do {
            try await deliverPending()
            try await runPasses()
        } catch { failure = error }
        // Waits for the started batches, however the run ended.
        while !running.isEmpty {
            do { try await finishFirstBatch() } catch { failure = failure ?? error }
        }
        do { try log([], isSynced: true) } catch { failure = failure ?? error }
        session.status.withLock { $0.finishRun(failure) }
        channel.finish(failure.map { .failure($0) } ?? .success(()))
    }

    private func deliverPending() async throws {
        let undelivered = session.undelivered.withLock { undelivered in
            defer { undelivered = [] }
            return undelivered
        }
        for (number, output) in undelivered { try await deliver(output, of: number) }
    }

    /// Sends an output and records that its batch is done.
    private func deliver(_ output: Processor.Output, of number: Int) async throws {
        guard await channel.send(output) else {
            session.undelivered.withLock { $0.append((number, output)) }
            session.status.withLock { status in
                status.record(number, nil)
                status.stop(.paused)
            }
            return
        }
        session.status.withLock { $0.record(number, .success) }
        try log([SessionEntry(done: number)])
    }

    private func log(_ entries: [SessionEntry], isSynced: Bool = false) throws(VaultError) {
        do { try session.journal.append(entries, isSynced: isSynced) } catch {
            throw VaultError.wrapping(error)
        }
    }

    private mutating func runPasses() async throws {
        guard session.status.withLock({ $0.requestedState == nil }) else { return }
        let (passes, wanted, descriptor) = session.status.withLock {
            ($0.descriptor.passes, $0.wanted, $0.descriptor)
        }
        for pass in passes where pass.batches.contains(where: { wanted.contains($0) }) {
            try await run(pass, descriptor)
            guard session.status.withLock({ $0.requestedState == nil }) else { return }
        }
    }

    private mutating func run(_ pass: SessionDescriptor.Pass, _ descriptor: SessionDescriptor) async throws {
        let numbers = Dictionary(
            pass.batches.map { (descriptor.records[$0].plan.key, $0) },
            uniquingKeysWith: { first, _ in first })
        var seen = 0
        for try await batch in session.store.batches(descriptor.query(for: pass)) {
            // A mismatch means that the plan was made for different contents.
            guard let number = numbers[batch.key], descriptor.records[number].plan == PlannedBatch(batch)
            else { throw SessionError.sourceChanged }
            seen += 1
            while running.count >= width { try await finishFirstBatch() }
            guard session.status.withLock({ $0.requestedState == nil }) else { return }
            if session.status.withLock({ $0.wanted.contains(number) }) { start(number, batch) }
        }
        guard seen == pass.batches.count else { throw SessionError.sourceChanged }
        // A store may know more facts about its content once it has been read completely.
        let fingerprint = try await session.store.fingerprint()
        guard try descriptor.terms.fingerprint.compare(fingerprint) != .different else {
            throw SessionError.sourceChanged
        }
    }

    private mutating func start(_ number: Int, _ batch: SampleBatch) {
        let processor = session.processor
        let task = Task {
            try await processor.process(batch, of: batch.sampleType)
        }
        session.status.withLock { $0.activate(number) { task.cancel() } }
        running.append((number, task))
    }

    /// Waits for the batch that was started first, sends its output, and records its result.
    ///
    /// The output is sent before the batch is recorded as done, so that no unreceived output is lost.
    private mutating func finishFirstBatch() async throws {
        let (number, task) = running.removeFirst()
        switch await task.result {
        case .success(let output):
            try await deliver(output, of: number)
        case .failure(is CancellationError):
            session.status.withLock { $0.record(number, nil) }
        case .failure(let error):
            session.status.withLock {
                $0.record(number, .failure(errorDescription: String(describing: error)))
            }
            // The description of an error could contain a sample's value; its type cannot.
            let reason = String(reflecting: type(of: error))
            try log([SessionEntry(failed: number, error: reason)], isSynced: true)
        }
    }
}
