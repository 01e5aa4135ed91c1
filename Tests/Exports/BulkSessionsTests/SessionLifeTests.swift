import BulkSessions
import FolderTesting
import HealthArchive
import HealthExport
import HealthModel
import SampleBatches
import Synchronization
import SystemIO
import Testing

@Suite("A session")
struct SessionLifeTests {
    private func exporter(_ folder: borrowing TemporaryFolder) -> BulkHealthExporter {
        BulkHealthExporter(SessionFixture.store(), stateFolder: StateFolder(folder.path + "/state"))
    }

    @Test("waits, runs, and is completed, with every sample exactly once")
    func completes() async throws {
        let folder = try TemporaryFolder()
        let processor = RecordingProcessor()
        let exporter = exporter(folder)
        let session = try await exporter.session(
            withId: .test, for: SessionFixture.types, using: processor)
        #expect(session.state == .paused && session.progress == nil && session.completedBatches.isEmpty)
        let total = session.numTotalBatches
        #expect(total > 100 && session.pendingBatches.count == total)
        let outputs = try await session.start().all()
        #expect(await session.finished() == .completed)
        #expect(outputs.count == total && Set(outputs).count == total)
        #expect(session.numProcessedBatches == total && session.pendingBatches.isEmpty)
        #expect(session.completedBatches.allSatisfy { $0.result == .success })
        #expect(try await processor.log.positions == SessionFixture.positions())
        #expect(await exporter.sessions.map(\.sessionIdentifier) == [.test])
        // Starting it again does nothing.
        #expect(try await session.start().all().isEmpty)
        #expect(session.state == .completed && processor.log.keys.count == total)
    }

    @Test("hands on the same outputs in the same order, however many batches are processed at a time")
    func order() async throws {
        let folder = try TemporaryFolder()
        var orders: [[SampleBatch.Key]] = []
        for (number, level) in [BulkExportConcurrencyLevel.disabled, .limit(2), .limit(7)].enumerated() {
            let session = try await exporter(folder).session(
                withId: BulkExportSessionIdentifier("session-\(number)"), for: SessionFixture.types,
                using: RecordingProcessor { number, _ in
                    // The later ones are the quicker ones.
                    try await Task.sleep(for: .microseconds(500 - min(400, number)))
                })
            orders.append(try await session.start(concurrencyLevel: level).all())
        }
        #expect(orders[0] == orders[1] && orders[0] == orders[2])
    }

    @Test("takes no more of the machine than it was told", arguments: [1, 2, 5])
    func width(_ width: Int) async throws {
        let folder = try TemporaryFolder()
        let processor = RecordingProcessor { _, _ in try await Task.sleep(for: .milliseconds(1)) }
        let session = try await exporter(folder).session(
            withId: .test, for: SessionFixture.types, using: processor)
        _ = try await session.start(concurrencyLevel: .limit(width)).all()
        #expect(processor.log.active.withLock { $0.most } <= width)
    }

    @Test("is one and the same for everyone who asks for its name, and for one type of processor")
    func identity() async throws {
        let folder = try TemporaryFolder()
        let exporter = exporter(folder)
        let processor = RecordingProcessor()
        async let left = exporter.session(withId: .test, for: SessionFixture.types, using: processor)
        async let right = exporter.session(withId: .test, for: SessionFixture.types, using: processor)
        let (first, second) = try await (left, right)
        #expect(first === second)
        // Whichever of them goes on first.
        for number in 0..<100 {
            let id = BulkExportSessionIdentifier("session-\(number)")
            async let left = exporter.session(withId: id, for: [], using: processor)
            async let right = exporter.session(withId: id, for: [], using: processor)
            let (first, second) = try await (left, right)
            #expect(first === second)
        }
        await #expect(throws: SessionError.conflictingSessionAlreadyExists) {
            _ = try await exporter.session(withId: .test, for: SessionFixture.types, using: .identity)
        }
    }

    @Test("does not start twice, and never again once it was deleted")
    func terminates() async throws {
        let folder = try TemporaryFolder()
        let exporter = exporter(folder)
        let gate = AsyncGate()
        let session = try await exporter.session(
            withId: .test, for: SessionFixture.types,
            using: RecordingProcessor { _, _ in try await gate.wait() })
        let outputs = try session.start()
        #expect(throws: StartSessionError.alreadyRunning) { try session.start() }
        #expect(session.state == .running)
        try await exporter.deleteSessionRestorationInfo(for: .test)
        #expect(session.state == .terminated)
        #expect(try await outputs.all().isEmpty)
        #expect(throws: StartSessionError.isTerminated) { try session.start() }
        await session.pause()
        #expect(session.state == .terminated)
        #expect(await exporter.sessions.isEmpty)
        await #expect(throws: SessionError.noSuchSession) {
            try await exporter.deleteSessionRestorationInfo(for: .test)
        }
        // The name is free again.
        let again = try await exporter.session(
            withId: .test, for: SessionFixture.types, using: .identity)
        #expect(again.state == .paused && again.completedBatches.isEmpty)
    }

    @Test("of no types, or of types without samples, has no batches and is complete at once")
    func empty() async throws {
        let folder = try TemporaryFolder()
        for (number, types) in [[], [AnySampleType("HKQuantityTypeIdentifierOfTomorrow")]].enumerated() {
            let id = BulkExportSessionIdentifier("empty-\(number)")
            let exporter = exporter(folder)
            let session = try await exporter.session(withId: id, for: types, using: .identity)
            #expect(session.numTotalBatches == 0 && session.progress == nil)
            #expect(try await session.start().all().isEmpty)
            #expect(await session.finished() == .completed)
            try await exporter.deleteSessionRestorationInfo(for: id)
            #expect(session.state == .terminated)
        }
        // 0 of 0 is all of it.
        let nothing = BulkExportProgress(numCompleted: 0, numFailed: 0, numTotal: 0, activeBatches: [])
        #expect(nothing.completion == 1)
    }

    @Test("goes on where it was paused, and does nothing twice")
    func pauses() async throws {
        let folder = try TemporaryFolder()
        let processor = RecordingProcessor { _, _ in try await Task.sleep(for: .microseconds(200)) }
        let session = try await exporter(folder).session(
            withId: .test, for: SessionFixture.types, using: processor)
        var outputs = 0
        var runs = 0
        while session.state != .completed {
            var iterator = try session.start().makeAsyncIterator()
            for _ in 0..<20 where try await iterator.next() != nil { outputs += 1 }
            let progress = session.progress
            #expect(progress.map { $0.numTotal == session.numTotalBatches } ?? true)
            await session.pause()
            #expect(session.state != .running && session.progress == nil)
            while try await iterator.next() != nil { outputs += 1 }
            runs += 1
            #expect(
                session.pendingBatches.count + session.completedBatches.count == session.numTotalBatches)
        }
        #expect(runs > 3 && outputs == session.numTotalBatches)
        #expect(try await processor.log.positions == SessionFixture.positions())
    }

    @Test("tells how far it is while it runs")
    func progress() async throws {
        let folder = try TemporaryFolder()
        let gate = AsyncGate()
        let session = try await exporter(folder).session(
            withId: .test, for: SessionFixture.types,
            using: RecordingProcessor { number, _ in if number == 10 { try await gate.wait() } })
        let outputs = try session.start(concurrencyLevel: .disabled)
        var iterator = outputs.makeAsyncIterator()
        for _ in 0..<10 { _ = try await iterator.next() }
        while session.progress?.numCompleted != 10 || session.progress?.activeBatches.isEmpty == true {
            await Task.yield()
        }
        let progress = try #require(session.progress)
        #expect(progress.numCompleted == 10 && progress.numFailed == 0)
        #expect(progress.completion == 10 / Double(session.numTotalBatches))
        #expect(progress.activeBatches.count == 1)
        await gate.open()
        while try await iterator.next() != nil {}
        #expect(await session.finished() == .completed)
    }
}

/// A gate, closed at first.
actor AsyncGate {
    private var isOpen = false
    /// How many wait for it to open.
    private(set) var waiting = 0

    func open() { isOpen = true }
    func close() { isOpen = false }

    func wait() async throws {
        waiting += 1
        defer { waiting -= 1 }
        while !isOpen { try await Task.sleep(for: .milliseconds(1)) }
    }
}
