import ByteText
import FolderTesting
import HealthModel
import HealthStoreTesting
import SampleBatches
import SystemIO
import Testing

@testable import BulkSessions
@testable import HealthArchive
@testable import HealthExport

@Suite("The state of a session")
struct SessionStateTests {
    /// Heart rates, and step counts, one in each of a number of hours that lie a month apart, or follow each other.
    private static func store(_ count: Int, everyHour: Bool = false, seed: String = "1") -> InMemoryStore {
        var text = "<HealthData>\n"
        for type in [AnySampleType.heartRate, .stepCount] {
            for number in 0..<count {
                let seconds = 1_600_000_000 + number * (everyHour ? 3600 : 31 * 86400)
                var start: [UInt8] = []
                Timestamp(seconds: seconds, offsetMinutes: 0).appendApple(to: &start)
                text +=
                    " <Record type=\"\(type.identifier)\" startDate=\"\(String(decoding: start, as: UTF8.self))\"/>\n"
            }
        }
        let document = text + "</HealthData>\n"
        return InMemoryStore(document: document, fingerprint: StoreFingerprint(["seed": seed]))
    }

    private let types: [AnySampleType] = [.heartRate, .stepCount]
    private let end = Timestamp(seconds: 2_000_000_000, offsetMinutes: 0)

    private func session(
        _ folder: BytePath, _ processor: RecordingProcessor = RecordingProcessor(), count: Int = 6,
        types: [AnySampleType]? = nil, start: ExportSessionStartDate = .oldestSample, end: Timestamp? = nil,
        size: ExportSessionBatchSize = .automatic, seed: String = "1"
    ) async throws -> BulkExportSession<RecordingProcessor> {
        try await BulkHealthExporter(Self.store(count, seed: seed), stateFolder: StateFolder(folder)).session(
            withId: .test, for: types ?? self.types, startDate: start, endDate: end ?? self.end,
            batchSize: size, using: processor)
    }

    private func journal(_ folder: BytePath) -> BytePath { folder + "/sessions/test-session.journal" }

    private func replaceJournal(_ folder: BytePath, _ bytes: ArraySlice<UInt8>) throws {
        try Folder.makeAll(folder / "sessions")
        let file = try FileDescriptor(opening: journal(folder), .updateOrCreate)
        try file.truncate(to: 0)
        let bytes = Array(bytes)
        try file.write(bytes.span, at: 0)
    }

    @Test("cut off at any byte is that of an earlier instant, and the rest is done once")
    func everyPrefix() async throws {
        let folder = try TemporaryFolder()
        let whole = RecordingProcessor()
        _ = try await session(folder.path, whole, count: 2).start(concurrencyLevel: .disabled).all()
        let bytes = try #require(
            try TemporaryFolder.contents(of: folder.path)["sessions/test-session.journal"])
        #expect(bytes.count > 300 && whole.log.keys.count == 4)
        let doneLines = bytes.indices.filter { bytes[$0...].starts(with: Array("{\"done\":".utf8)) }
        for cut in 0...bytes.count {
            let place = try TemporaryFolder()
            try replaceJournal(place.path, bytes[..<cut])
            let rest = RecordingProcessor()
            let session = try await session(place.path, rest, count: 2)
            let done = doneLines.count { start in
                bytes[start..<cut.clamped(start, bytes.count)].contains(UInt8(ascii: "\n"))
            }
            #expect(session.completedBatches.count == done && session.numTotalBatches == 4, "\(cut)")
            _ = try await session.start(concurrencyLevel: .disabled).all()
            #expect(await session.finished() == .completed)
            #expect(rest.log.keys == Array(whole.log.keys[done...]), "\(cut)")
        }
    }

    @Test("with a byte changed is refused, or says what a state could say", arguments: [0, 3])
    func everyByte(_ bit: Int) async throws {
        let folder = try TemporaryFolder()
        _ = try await session(folder.path, count: 2).start().all()
        let bytes = try #require(
            try TemporaryFolder.contents(of: folder.path)["sessions/test-session.journal"])
        for place in bytes.indices {
            var changed = bytes
            changed[place] ^= 1 << UInt8(bit)
            let other = try TemporaryFolder()
            try replaceJournal(other.path, changed[...])
            // Nothing in it is trusted so far that the program would end.
            do {
                _ = try await session(other.path, count: 2).start(retryFailedBatches: true).all()
            } catch is SessionError {}
        }
    }

    @Test("is small, even for ten thousand batches, and only grows at its end")
    func size() async throws {
        let folder = try TemporaryFolder()
        let exporter = BulkHealthExporter(
            Self.store(5000, everyHour: true), stateFolder: StateFolder(folder.path))
        let session = try await exporter.session(
            withId: .test, for: types, endDate: end, batchSize: .calendarComponent(.hour),
            using: RecordingProcessor())
        #expect(session.numTotalBatches == 10_000)
        let plan = try FileStatus(at: journal(folder.path)).size
        let before = try TemporaryFolder.contents(of: folder.path)["sessions/test-session.journal"]
        _ = try await session.start().all()
        let after = try TemporaryFolder.contents(of: folder.path)["sessions/test-session.journal"]
        #expect(plan < 400_000 && (after?.count ?? .max) < 550_000)
        #expect(after.map { Array($0.prefix(plan)) } == before)
    }

    @Test("belongs to one process at a time")
    func locking() async throws {
        let folder = try TemporaryFolder()
        var first: BulkExportSession<RecordingProcessor>? = try await session(folder.path)
        await #expect(throws: SessionError.inUse) { _ = try await session(folder.path) }
        let other = BulkHealthExporter(Self.store(6), stateFolder: StateFolder(folder.path))
        await #expect(throws: SessionError.inUse) {
            try await other.deleteSessionRestorationInfo(for: .test)
        }
        #expect(first?.state == .paused)
        first = nil
        try await other.deleteSessionRestorationInfo(for: .test)
        #expect(try TemporaryFolder.contents(of: folder.path).isEmpty)
    }

    @Test("is that of what was asked for, and of nothing else")
    func options() async throws {
        let folder = try TemporaryFolder()
        _ = try await session(folder.path)
        let other = Timestamp(seconds: end.seconds - 1, offsetMinutes: 0)
        for (names, attempt) in [
            (["startDate"], { try await session(folder.path, start: .last(numDays: 3)) }),
            (["endDate"], { try await session(folder.path, end: other) }),
            (["batchSize"], { try await session(folder.path, size: .byYear) }),
            (["sampleTypes"], { try await session(folder.path, types: [.heartRate]) }),
            (["sampleTypes", "batchSize"], { try await session(folder.path, types: [], size: .byMonth) }),
        ] as [([String], () async throws -> BulkExportSession<RecordingProcessor>)] {
            await #expect(throws: SessionError.differentOptions(names)) { _ = try await attempt() }
        }
        await #expect(throws: SessionError.sourceChanged) { _ = try await session(folder.path, seed: "2") }
        await #expect(throws: SessionError.conflictingSessionAlreadyExists) {
            _ = try await BulkHealthExporter(Self.store(6), stateFolder: StateFolder(folder.path)).session(
                withId: .test, for: types, endDate: end, using: .identity)
        }
        // Asked for again as it was, it is there.
        #expect(try await session(folder.path).numTotalBatches == 12)
    }

    @Test("is extended by types, whatever it has done so far")
    func extends() async throws {
        let folder = try TemporaryFolder()
        let first = RecordingProcessor()
        do {
            let session = try await session(folder.path, first, types: [.stepCount])
            _ = try await session.start().all()
            #expect(session.state == .completed && session.numTotalBatches == 6)
        }
        let second = RecordingProcessor()
        for _ in 0..<2 {
            let session = try await session(folder.path, second)
            #expect(session.numTotalBatches == 12)
            _ = try await session.start().all()
            #expect(session.state == .completed)
        }
        #expect(first.log.keys.allSatisfy { $0.type == AnySampleType.stepCount.identifier })
        #expect(second.log.keys.count == 6)
        #expect(second.log.keys.allSatisfy { $0.type == AnySampleType.heartRate.identifier })
    }

    @Test("is not started while types are added to it")
    func extendsAlone() async throws {
        let folder = try TemporaryFolder()
        let store = GatedStore(store: Self.store(6))
        let exporter = BulkHealthExporter(store, stateFolder: StateFolder(folder.path))
        await store.gate.open()
        let session = try await exporter.session(
            withId: .test, for: [.stepCount], endDate: end, using: RecordingProcessor())
        await store.gate.close()
        async let extended = exporter.session(
            withId: .test, for: types, endDate: end, using: session.processor)
        while await store.gate.waiting == 0 { await Task.yield() }
        #expect(throws: StartSessionError.alreadyRunning) { try session.start() }
        await store.gate.open()
        #expect(try await extended === session && session.numTotalBatches == 12)
        #expect(try await session.start().all().count == 12)
    }

    @Test("keeps its cut-off, which is not asked for again")
    func keepsEnd() async throws {
        let folder = try TemporaryFolder()
        func open() async throws -> Int {
            try await BulkHealthExporter(Self.store(6), stateFolder: StateFolder(folder.path)).session(
                withId: .test, for: types, using: RecordingProcessor()
            ).numTotalBatches
        }
        #expect(try await open() == 12)
        #expect(try await open() == 12)
    }

    @Test("of a source that turns out to be another one is not completed")
    func changedSource() async throws {
        let folder = try TemporaryFolder()
        // The same fingerprint, and one sample less.
        _ = try await session(folder.path, count: 6)
        let session = try await session(folder.path, count: 5)
        await #expect(throws: SessionError.sourceChanged) { _ = try await session.start().all() }
        #expect(session.state == .paused && session.interruption is SessionError)
    }

    @Test("needs a name that a file can have", arguments: ["", ".", "../x", "a/b", "-x", "ü", "a b"])
    func names(_ name: String) async throws {
        let folder = try TemporaryFolder()
        await #expect(throws: SessionError.invalidIdentifier) {
            _ = try await BulkHealthExporter(Self.store(1), stateFolder: StateFolder(folder.path)).session(
                withId: BulkExportSessionIdentifier(name), for: [], using: .identity)
        }
    }
}

/// A store that plans when its gate is open.
private struct GatedStore: HealthStore {
    let store: InMemoryStore
    let gate = AsyncGate()

    func contents() async throws -> StoreContents { try await store.contents() }
    func fingerprint() async throws -> StoreFingerprint { try await store.fingerprint() }
    func batches(_ query: BatchQuery) -> BatchSequence { store.batches(query) }

    func plan(_ query: BatchQuery) async throws -> [PlannedBatch] {
        try await gate.wait()
        return try await store.plan(query)
    }
}

extension Int {
    fileprivate func clamped(_ lower: Int, _ upper: Int) -> Int { Swift.min(Swift.max(self, lower), upper) }
}
