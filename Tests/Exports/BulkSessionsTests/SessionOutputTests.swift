import BulkSessions
import FolderTesting
import HealthExport
import SampleBatches
import SystemIO
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
        // One was taken, one waits to be, and as many as it may are being processed.
        #expect(processor.log.keys.count <= width + 2)
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

    @Test("whose consumer leaves are not lost: the session waits for the next one", arguments: [true, false])
    func leavingConsumer(_ isCancelled: Bool) async throws {
        let folder = try TemporaryFolder()
        let session = try await session(folder, RecordingProcessor())
        var taken: [SampleBatch.Key] = []
        while session.state != .completed {
            do {
                let outputs = try session.start()
                let part = Task {
                    var part: [SampleBatch.Key] = []
                    for try await output in outputs {
                        part.append(output)
                        if part.count == 7 {
                            if !isCancelled { break }
                            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
                        }
                    }
                    return part
                }
                taken += try await part.value
            }
            await session.finished()
        }
        #expect(taken.count == session.numTotalBatches && Set(taken).count == taken.count)
    }

    @Test("that waited when it was paused are made again")
    func paused() async throws {
        let folder = try TemporaryFolder()
        let session = try await session(folder, RecordingProcessor())
        do {
            let outputs = try session.start(concurrencyLevel: .limit(3))
            var iterator = outputs.makeAsyncIterator()
            _ = try await iterator.next()
            await session.pause()
            #expect(session.state == .paused && session.completedBatches.count == 1)
            #expect(try await iterator.next() == nil)
        }
        #expect(try await session.start().all().count == session.numTotalBatches - 1)
    }
}
