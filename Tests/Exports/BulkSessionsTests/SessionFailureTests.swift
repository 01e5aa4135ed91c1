import BulkSessions
import FolderTesting
import HealthExport
import SystemIO
import Testing

@Suite("A batch that fails")
struct SessionFailureTests {
    private func exporter(_ folder: borrowing TemporaryFolder) -> BulkHealthExporter {
        BulkHealthExporter(SessionFixture.store(), stateFolder: StateFolder(folder.path + "/state"))
    }

    private func failing(every step: Int) -> RecordingProcessor {
        RecordingProcessor { number, _ in if number % step == 0 { throw ProcessorFailure() } }
    }

    @Test("does not stop the others, and is not forgotten")
    func fails() async throws {
        let folder = try TemporaryFolder()
        let session = try await exporter(folder).session(
            withId: .test, for: SessionFixture.types, using: failing(every: 10))
        let outputs = try await session.start(concurrencyLevel: .disabled).all()
        #expect(await session.finished() == .completedWithFailures)
        let failed = session.failedBatches
        #expect(failed.count == (session.numTotalBatches + 9) / 10)
        #expect(outputs.count == session.completedBatches.count)
        #expect(outputs.count + failed.count == session.numTotalBatches && session.pendingBatches.isEmpty)
        #expect(session.numProcessedBatches == session.numTotalBatches && session.interruption == nil)
        for batch in failed {
            guard case .failure(let description)? = batch.result else {
                Issue.record("a failed batch says why")
                continue
            }
            #expect(description.contains("ProcessorFailure"))
        }
        // Starting again leaves them alone.
        #expect(try await session.start().all().isEmpty)
        #expect(session.state == .completedWithFailures && session.failedBatches == failed)
    }

    @Test(
        "is tried again where that is asked for, by this process or by the next one",
        arguments: [true, false])
    func retries(_ bySameProcess: Bool) async throws {
        let folder = try TemporaryFolder()
        let processor = RecordingProcessor { number, _ in if number < 30 { throw ProcessorFailure() } }
        var exporter: BulkHealthExporter? = exporter(folder)
        var session = try await exporter?.session(
            withId: .test, for: SessionFixture.types, using: processor)
        _ = try await session?.start(concurrencyLevel: .disabled).all()
        let failed = try #require(session?.failedBatches)
        #expect(failed.count == 30)
        if !bySameProcess {
            session = nil
            exporter = nil
            exporter = self.exporter(folder)
            session = try await exporter?.session(
                withId: .test, for: SessionFixture.types, using: processor)
            #expect(session?.state == .completedWithFailures)
            #expect(
                session?.failedBatches.map(\.userDisplayedDescription)
                    == failed.map(\.userDisplayedDescription))
        }
        let outputs = try await session?.start(retryFailedBatches: true).all()
        #expect(outputs?.count == 30)
        #expect(session?.state == .completed)
        #expect(try await processor.log.positions == SessionFixture.positions())
    }

    @Test("leaves nothing of what its error says in the state, where it could be a health value")
    func secrecy() async throws {
        let folder = try TemporaryFolder()
        let session = try await exporter(folder).session(
            withId: .test, for: SessionFixture.types, using: failing(every: 3))
        _ = try await session.start().all()
        let files = try TemporaryFolder.contents(of: folder.path + "/state")
        for bytes in files.values {
            let text = String(decoding: bytes, as: UTF8.self)
            #expect(text.contains("ProcessorFailure") && !text.contains("61 beats"))
        }
        #expect(files.count == 1)
    }

    @Test("is none where it was cancelled, by whoever")
    func cancellation() async throws {
        let folder = try TemporaryFolder()
        let session = try await exporter(folder).session(
            withId: .test, for: SessionFixture.types,
            using: RecordingProcessor { number, _ in if number == 5 { throw CancellationError() } })
        _ = try await session.start(concurrencyLevel: .disabled).all()
        #expect(session.failedBatches.isEmpty && session.pendingBatches.count == 1)
        #expect(session.state == .paused)
        _ = try await session.start().all()
        #expect(session.state == .completed)
    }
}
