import ByteText
import FolderTesting
import HealthArchive
import HealthModel
import HealthQueries
import HealthSync
import HealthSyncTesting
import SampleBatches
import Synchronization
import SystemIO
import Testing

/// The matrix of HealthDataSync's tests of its synchroniser.
@Suite("The order of a batch's calls")
struct SynchronizerTests {
    private struct Failure: Error, Equatable {}

    /// A store that records its calls, has some objects, and fails at a call.
    private final class RecordingStore: ExternalStore {
        private let present: Set<SampleID>
        private let failing: String?
        private let state = Mutex<[String]>([])

        init(present: [SampleID] = [], failing: String? = nil) {
            self.present = Set(present)
            self.failing = failing
        }

        var calls: [String] { state.withLock(\.self) }

        private func record(_ call: String, _ count: Int) throws {
            state.withLock { $0.append("\(call) \(count)") }
            if call == failing { throw Failure() }
        }

        func fetch(_ objects: [SampleRecord]) async throws -> [SampleRecord]? {
            try record("fetch", objects.count)
            let found = objects.filter { present.contains($0.id) }
            return found.isEmpty ? nil : found
        }

        func add(_ objects: [SampleRecord]) async throws { try record("add", objects.count) }
        func update(_ objects: [SampleRecord]) async throws {
            #expect(objects.allSatisfy { $0.sample != nil })
            try record("update", objects.count)
        }
        func delete(_ objects: [SampleRecord]) async throws { try record("delete", objects.count) }
    }

    /// Numbers of samples, and the calls that they must lead to.
    struct Case: CustomTestStringConvertible, Sendable {
        var new = 0
        var existing = 0
        var deleted = 0
        var unknownDeleted = 0
        var failing: String?
        let calls: [String]

        var testDescription: String {
            "\(new) new, \(existing) existing, \(deleted) deleted, \(failing ?? "nothing") fails"
        }
    }

    static let cases = [
        Case(calls: []),
        Case(new: 1, calls: ["fetch 1", "add 1"]),
        Case(new: 1, failing: "add", calls: ["fetch 1", "add 1"]),
        Case(existing: 1, calls: ["fetch 1", "update 1"]),
        Case(existing: 1, failing: "update", calls: ["fetch 1", "update 1"]),
        Case(new: 1, existing: 1, failing: "add", calls: ["fetch 2", "add 1"]),
        Case(new: 1, failing: "fetch", calls: ["fetch 1"]),
        Case(new: 1, deleted: 1, calls: ["fetch 1", "delete 1", "fetch 1", "add 1"]),
        Case(new: 1, deleted: 1, failing: "delete", calls: ["fetch 1", "delete 1"]),
        Case(unknownDeleted: 1, calls: ["fetch 1"]),
        Case(deleted: 2, unknownDeleted: 3, calls: ["fetch 5", "delete 2"]),
        Case(new: 10, calls: ["fetch 10", "add 10"]),
        Case(existing: 10, calls: ["fetch 10", "update 10"]),
        Case(new: 5, existing: 5, calls: ["fetch 10", "add 5", "update 5"]),
    ]

    @Test("is deletions, additions, updates, and ends with the first error", arguments: cases)
    func order(_ expected: Case) async throws {
        let samples = try await SyncDocument(steps: 0..<30).samples()
        let existing = samples[..<expected.existing]
        let new = samples[expected.existing...].prefix(expected.new)
        let deleted = samples.suffix(expected.deleted + expected.unknownDeleted).map(\.id)
        let store = RecordingStore(
            present: existing.map(\.id) + deleted.prefix(expected.deleted), failing: expected.failing)
        let hooks = Hooks()
        let batch = SyncBatch(of: .stepCount, deleted: deleted, added: Array(existing + new))
        do {
            let counts = try await Synchronizer(store, delegate: hooks).synchronize(batch)
            #expect(expected.failing == nil)
            #expect(
                (counts.added, counts.updated, counts.deleted)
                    == (expected.new, expected.existing, expected.deleted))
            #expect(hooks.calls == (expected.calls.isEmpty ? [] : ["will", "finish"]))
        } catch is Failure {
            #expect(expected.failing != nil)
            #expect(hooks.calls == ["will"])
        }
        #expect(store.calls == expected.calls)
    }

    private final class Hooks: SyncDelegate {
        private let state = Mutex<[String]>([])
        private let isAllowed: Bool
        private let limit: Int?
        init(isAllowed: Bool = true, limit: Int? = nil) {
            self.isAllowed = isAllowed
            self.limit = limit
        }
        var calls: [String] { state.withLock(\.self) }
        private func record(_ call: String) { state.withLock { $0.append(call) } }
        func shouldExecute(_ type: AnySampleType) async -> Bool { isAllowed }
        func batchSize(of type: AnySampleType) async -> Int? { limit }
        func willSynchronize(_ batch: SyncBatch) async throws {
            #expect(batch.added.count <= limit ?? .max)
            record("will")
        }
        func willFinish(_ batch: SyncBatch) async throws { record("finish") }
        func didFinishExecution(_ type: AnySampleType, error: (any Error)?) async {
            record((error as? SyncError).map { "\($0.code)" } ?? (error == nil ? "done" : "failed"))
        }
    }

    @Test("anchors advance with successful batches only; stopping keeps them, a reset deletes them")
    func anchors() async throws {
        let anchors = MemoryAnchors()
        let document = SyncDocument(steps: 0..<10)
        let failing = SyncManager(batchSize: 4)
        failing.add([.stepCount], to: RecordingStore(failing: "add"), anchors: anchors)
        failing.terms.person = "Anna"
        await #expect(throws: Failure.self) { try await failing.synchronize(with: document.store) }
        #expect(await anchors.summaries(of: .stepCount, of: "Anna") == [])

        let manager = SyncManager()
        manager.terms.person = "Anna"
        let store = RecordingStore()
        let hooks = Hooks(limit: 4)
        manager.delegate = hooks
        manager.add([.stepCount], to: store, anchors: anchors)
        manager.add([.stepCount], to: RecordingStore(), anchors: anchors)
        #expect(manager.observedTypes == [.stepCount])
        #expect(try await manager.synchronize(with: document.store).total.added == 10)
        #expect(hooks.calls.last == "done")
        let calls = store.calls
        manager.startObserving(StoreUpdates(every: .seconds(1000)) { document.store })
        #expect(manager.isObserving)
        await manager.stopObserving()
        #expect(!manager.isObserving)
        try await manager.synchronize(with: document.store)
        #expect(store.calls == calls, "nothing is sent twice")
        try await manager.reset()
        #expect(try await manager.synchronize(with: document.store).total.added == 10)
        #expect(try await manager.sources(in: document.store)[.stepCount]?.count == 1)
    }

    @Test("a sequence of stores that fails is reported, and another one can be observed")
    func failingUpdates() async throws {
        let manager = SyncManager()
        let store = RecordingStore()
        manager.add([.stepCount], to: store, anchors: MemoryAnchors())
        let failures = Mutex(0)
        manager.startObserving(StoreUpdates(every: .seconds(1000)) { throw Failure() }) { _ in
            failures.withLock { $0 += 1 }
        }
        while manager.isObserving { await Task.yield() }
        #expect(failures.withLock { $0 } == 1)
        let document = SyncDocument(steps: 0..<10)
        manager.startObserving(StoreUpdates(every: .seconds(1000)) { document.store })
        while store.calls.isEmpty { await Task.yield() }
        await manager.stopObserving()
        #expect(!manager.isObserving)
    }

    /// A store whose additions wait until the test lets them end.
    private final class WaitingStore: ExternalStore {
        private struct State {
            var additions = 0
            var isStopped = false
            var isReleased = false
        }
        private let state = Mutex(State())

        /// The number of additions that have begun.
        var additions: Int { state.withLock { $0.additions } }
        /// Whether an addition was asked to stop.
        var isStopped: Bool { state.withLock { $0.isStopped } }
        func release() { state.withLock { $0.isReleased = true } }

        func fetch(_ objects: [SampleRecord]) async throws -> [SampleRecord]? { nil }
        func add(_ objects: [SampleRecord]) async throws {
            state.withLock { $0.additions += 1 }
            while !state.withLock({ $0.isReleased }) {
                if Task.isCancelled { state.withLock { $0.isStopped = true } }
                await Task.yield()
            }
        }
        func update(_ objects: [SampleRecord]) async throws {}
        func delete(_ objects: [SampleRecord]) async throws {}
    }

    @Test("nothing else is observed until the batch that was stopped has ended")
    func stopping() async throws {
        let manager = SyncManager()
        let store = WaitingStore()
        manager.add([.stepCount], to: store, anchors: MemoryAnchors())
        let document = SyncDocument(steps: 0..<10)
        manager.startObserving(StoreUpdates(every: .seconds(1000)) { document.store })
        while store.additions == 0 { await Task.yield() }
        let stopping = Task { await manager.stopObserving() }
        while !store.isStopped { await Task.yield() }
        #expect(manager.isObserving)
        manager.startObserving(StoreUpdates(every: .seconds(1000)) { document.store })
        store.release()
        await stopping.value
        #expect(!manager.isObserving)
        #expect(store.additions == 1)
    }

    /// Anchors that cannot be read.
    private final class DamagedAnchors: AnchorStore {
        var capacity: SubjectCapacity { .one }
        func subjects() async throws -> [Subject] { [] }
        func save(_ subject: Subject) async throws {}
        func anchoredTypes(of person: String) async throws -> [AnySampleType] { [] }
        func summaries(of type: AnySampleType, of person: String) async throws -> [AnchorPage.Summary] {
            throw Failure()
        }
        func pages(_ summaries: [AnchorPage.Summary], of person: String) async throws -> [AnchorPage] {
            throw Failure()
        }
        func save(_ pages: [AnchorPage], of person: String) async throws {}
        func removeAnchors(of types: [AnySampleType], of person: String) async throws {}
    }

    @Test("a delegate learns of anchors that cannot be read", arguments: [0..<3, 0..<0])
    func unreadableAnchors(_ steps: Range<Int>) async throws {
        let manager = SyncManager()
        let hooks = Hooks()
        manager.delegate = hooks
        manager.add([.stepCount], to: RecordingStore(), anchors: DamagedAnchors())
        await #expect(throws: Failure.self) {
            try await manager.synchronize(with: SyncDocument(steps: steps).store)
        }
        #expect(hooks.calls == ["failed"])
    }

    @Test("all types are those of the source and those that a store has anchors of")
    func allTypes() async throws {
        let folder = try TemporaryFolder()
        let target = try DatabaseTarget(sqlite: folder.path / "health.db")
        let passes = Mutex(0)
        let document = SyncDocument(steps: 0..<10)
        let empty = SyncDocument(steps: 0..<0)
        let manager = SyncManager(batchSize: 4)
        manager.addAllTypes(to: target)
        manager.terms = SubjectTerms(person: "Anna", allowsDeletions: true)
        let counting = CountingStore(document.store) { passes.withLock { $0 += 1 } }
        #expect(try await manager.synchronize(with: counting).types[.stepCount]?.added == 10)
        #expect(passes.withLock(\.self) == 2, "the samples, and the days of their only type")
        #expect(try await manager.synchronize(with: document.store).total.isEmpty)
        #expect(try await manager.synchronize(with: empty.store).types[.stepCount]?.deleted == 10)
        #expect(try await target.anchoredTypes(of: "Anna") == [])
        try await manager.synchronize(with: document.store)
        try await manager.reset()
        #expect(try await manager.synchronize(with: document.store).total.updated == 10)

        let single = SyncManager()
        let store = RecordingStore()
        single.add([.stepCount], to: store, anchors: MemoryAnchors())
        single.addAllTypes(to: target)
        #expect(try await single.synchronize(with: document.store).total.added == 10)
        #expect(store.calls == ["fetch 10", "add 10"], "a type is observed once")
        let other = SyncManager()
        other.addAllTypes(to: target)
        try await other.requestPermissions(for: [.heartRate], in: document.store)
        #expect(try await other.synchronize(with: empty.store).total.isEmpty)
    }

    /// A store that tells when it is read.
    private struct CountingStore: HealthStore {
        let store: any HealthStore
        let willRead: @Sendable () -> Void
        init(_ store: any HealthStore, willRead: @escaping @Sendable () -> Void) {
            self.store = store
            self.willRead = willRead
        }
        @concurrent func contents() async throws -> StoreContents { try await store.contents() }
        @concurrent func fingerprint() async throws -> StoreFingerprint { try await store.fingerprint() }
        @concurrent func spanSums(of types: [AnySampleType]?) async throws -> [SpanSum]? {
            try await store.spanSums(of: types)
        }
        func batches(_ query: BatchQuery) -> BatchSequence {
            willRead()
            return store.batches(query)
        }
    }

    @Test("a store that knows the sums of its spans is read only where they differ")
    func knownSums() async throws {
        let passes = Mutex(0)
        func store(_ steps: Range<Int>) -> CountingStore {
            CountingStore(SyncDocument(steps: steps).store(knowingSums: true)) {
                passes.withLock { $0 += 1 }
            }
        }
        func newPasses() -> Int {
            passes.withLock { number in
                defer { number = 0 }
                return number
            }
        }
        let manager = SyncManager()
        manager.terms.person = "Anna"
        manager.add([.stepCount], to: RecordingStore(), anchors: MemoryAnchors())
        #expect(try await manager.synchronize(with: store(0..<40)).total.added == 40)
        #expect(newPasses() == 1)
        #expect(try await manager.synchronize(with: store(0..<40)).total.isEmpty)
        #expect(newPasses() == 0)
        // New months are counted by their sums, and read once.
        #expect(try await manager.synchronize(with: store(0..<80), isDry: true).total.added == 40)
        #expect(newPasses() <= 1)
        #expect(try await manager.synchronize(with: store(0..<80)).total.added == 40)
        #expect(try await manager.synchronize(with: store(0..<80)).total.isEmpty)

        let (handler, anchors) = (Unheard(), MemoryAnchors())
        let collector = HealthCollector(handler, anchors: anchors)
        let start = Timestamp(seconds: 0, offsetMinutes: 0)
        collector.register([CollectSamples(.stepCount, timeRange: .startingAt(start))])
        #expect(try await collector.collect(from: store(0..<40)).total.added == 40)
        _ = newPasses()
        #expect(try await collector.collect(from: store(0..<40)).total.isEmpty)
        #expect(newPasses() == 0)
    }

    /// A handler that does nothing.
    private struct Unheard: CollectionHandler {
        func handleDeletedObjects(_ deleted: [SampleID], of type: AnySampleType) async throws {}
        func handleNewSamples(_ added: [IdentifiedSample], of type: AnySampleType) async throws {}
    }

    @Test("a batch holds changes of several spans, and its pages are saved with it")
    func spans() async throws {
        let anchors = MemoryAnchors()
        let document = SyncDocument(steps: 0..<100)
        let store = RecordingStore()
        let manager = SyncManager(batchSize: 60)
        manager.terms.person = "Anna"
        manager.add([.stepCount], to: store, anchors: anchors)
        #expect(try await manager.synchronize(with: document.store).batches == 2)
        #expect(store.calls == ["fetch 60", "add 60", "fetch 40", "add 40"])
        #expect(await anchors.summaries(of: .stepCount, of: "Anna").reduce(0) { $0 + $1.sum.count } == 100)
    }

    /// What a second export may have, beside the first one with forty weeks, and what becomes of it.
    struct Further: Sendable, CustomTestStringConvertible {
        let steps: Range<Int>
        var date = "2024-06-02"
        var terms = SubjectTerms()
        var doubt: SubjectDoubt?
        var testDescription: String { "\(steps), \(date), \(terms)" }
    }

    @Test(
        "a further export is refused if it is another person's, older, or lacks most, unless the terms allow it",
        arguments: [
            Further(steps: 0..<50), Further(steps: 20..<60),
            Further(steps: 21..<60, doubt: .deletions(21, of: 40)),
            Further(steps: 21..<60, terms: SubjectTerms(allowsDeletions: true)),
            Further(steps: 0..<0, doubt: .deletions(40, of: 40)),
            Further(steps: 100..<140, doubt: .other(.samples)),
            // A tenth of the samples of the smaller one.
            Further(steps: 36..<76, terms: SubjectTerms(allowsDeletions: true)),
            Further(steps: 37..<77, terms: SubjectTerms(allowsDeletions: true), doubt: .other(.samples)),
            Further(steps: 0..<40, date: "2024-05-31", doubt: .older("Anna")),
            Further(steps: 0..<40, date: "2024-05-31", terms: SubjectTerms(allowsOlder: true)),
            Further(steps: 0..<40, terms: SubjectTerms(person: "Ben"), doubt: .named("Anna")),
            Further(steps: 100..<140, terms: SubjectTerms(person: "Anna"), doubt: .deletions(40, of: 40)),
        ])
    func doubts(_ further: Further) async throws {
        let anchors = MemoryAnchors()
        let store = RecordingStore()
        let manager = SyncManager()
        manager.add([.stepCount], to: store, anchors: anchors)
        manager.terms.person = "Anna"
        try await manager.synchronize(with: SyncDocument(steps: 0..<40).store)
        manager.terms = further.terms
        let calls = store.calls
        let document = SyncDocument(steps: further.steps, date: further.date)
        guard let doubt = further.doubt else {
            #expect(try await manager.synchronize(with: document.store).people == ["Anna"])
            return
        }
        await #expect(throws: SyncError(.doubtful(doubt))) {
            try await manager.synchronize(with: document.store)
        }
        #expect(store.calls == calls)
    }

    @Test("a delegate can refuse a type, and a permission can be missing")
    func permissions() async throws {
        let document = SyncDocument(steps: 0..<3)
        let manager = SyncManager()
        let hooks = Hooks(isAllowed: false)
        manager.delegate = hooks
        let store = RecordingStore()
        await #expect(throws: SyncError(.noSpecifiedTypes)) {
            try await manager.synchronize(with: document.store)
        }
        manager.add([.stepCount], to: store, anchors: MemoryAnchors())
        #expect(try await manager.synchronize(with: document.store).cancelled == [.stepCount])
        #expect(hooks.calls == ["operationCancelled"])
        #expect(store.calls == [])
        await #expect(throws: SyncError(.noSpecifiedTypes)) {
            try await manager.requestPermissions(for: [], in: document.store)
        }
        await #expect(throws: SyncError(.unavailable)) {
            try await manager.requestPermissions(for: [.stepCount], in: SyncDocument(steps: 0..<0).store)
        }
        try await manager.requestPermissions(for: [.heartRate], in: document.store)
        await #expect(throws: SyncError(.noSpecifiedTypes)) {
            try await manager.synchronize(with: document.store)
        }
        try await manager.requestPermissionsForAllObservers(in: document.store)
        manager.delegate = nil
        #expect(try await manager.synchronize(with: document.store).total.added == 3)
    }
}
