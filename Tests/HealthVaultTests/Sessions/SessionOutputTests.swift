import HealthModel
import HealthVault
import Testing

@Suite("Outputs of a session")
struct SessionOutputTests {
    private func session(
        _ folder: borrowing TemporaryFolder, _ processor: RecordingProcessor
    ) async throws -> BulkExportSession<RecordingProcessor> {
        try await BulkHealthExporter(
            SessionFixture.store(), stateFolder: StateFolder(folder.path + "/state")
        ).session(withId: .test, for: SessionFixture.types, using: processor)
    }

    @Test("hold the session back while nobody takes them", arguments: [1, 3])
    func backPressure(_ width: Int) async throws {
        let folder = try TemporaryFolder()
        let processor = RecordingProcessor()
        let session = try await session(folder, processor)
        let outputs = try session.start(concurrencyLevel: .limit(width))
        var iterator = outputs.makeAsyncIterator()
        _ = try await iterator.next()
        try await Task.sleep(for: .milliseconds(200))
        // As many as it processes at a time wait, as many are being processed, and one was taken.
        #expect(processor.log.keys.count <= 2 * width + 2)
        var count = 1
        while try await iterator.next() != nil { count += 1 }
        #expect(count == session.numTotalBatches)
    }

    @Test("that nobody wants do not hinder it")
    func abandoned() async throws {
        let folder = try TemporaryFolder()
        let session = try await session(folder, RecordingProcessor())
        do { _ = try session.start() }
        #expect(await session.finished() == .completed)
    }

    @Test("whose consumer is cancelled do not hinder it either")
    func cancelledConsumer() async throws {
        let folder = try TemporaryFolder()
        let session = try await session(folder, RecordingProcessor())
        let outputs = try session.start()
        let consumer = Task { try await outputs.all().count }
        consumer.cancel()
        #expect(try await consumer.value <= session.numTotalBatches)
        #expect(await session.finished() == .completed)
    }

    @Test("that were waiting when it was paused are still there")
    func drained() async throws {
        let folder = try TemporaryFolder()
        let session = try await session(folder, RecordingProcessor())
        let outputs = try session.start(concurrencyLevel: .limit(3))
        while session.numProcessedBatches < 3 { await Task.yield() }
        await session.pause()
        #expect(session.state == .paused)
        #expect(try await outputs.all().count == session.completedBatches.count)
    }
}
