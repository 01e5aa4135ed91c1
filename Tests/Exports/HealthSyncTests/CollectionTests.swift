import ByteText
import HealthModel
import HealthQueries
import HealthSync
import HealthSyncTesting
import Synchronization
import Testing

@Suite("Collection of samples")
struct CollectionTests {
    private struct Failure: Error {}

    private final class Handler: CollectionHandler {
        private let state = Mutex<(calls: [String], isFailing: Bool)>(([], false))
        var calls: [String] {
            state.withLock { state in
                defer { state.calls = [] }
                return state.calls
            }
        }
        func fail(_ isFailing: Bool) { state.withLock { $0.isFailing = isFailing } }
        func handleDeletedObjects(_ deleted: [SampleID], of type: AnySampleType) async throws {
            state.withLock { $0.calls.append("deleted \(deleted.count)") }
        }
        func handleNewSamples(_ added: [IdentifiedSample], of type: AnySampleType) async throws {
            try state.withLock { state in
                if state.isFailing { throw Failure() }
                state.calls.append("new \(added.count)")
            }
        }
    }

    private static let january = Timestamp(seconds: 1_704_067_200, offsetMinutes: 0)

    @Test("11 definitions of 5 types are 5 collectors; the background wins")
    func registration() {
        let collector = HealthCollector(Handler(), anchors: MemoryAnchors())
        collector.register([
            CollectSamples(.heartRate), CollectSamples(.heartRate),
            CollectSamples(.stepCount, continueInBackground: true), CollectSamples(.stepCount),
            CollectSamples(.bodyMass), CollectSamples(.bodyMass, continueInBackground: true),
            CollectSamples(.height, start: .manual), CollectSamples(.height, start: .manual),
            CollectSamples(.activeEnergyBurned, continueInBackground: true),
            CollectSamples(.activeEnergyBurned, continueInBackground: true),
            CollectSamples(.activeEnergyBurned),
        ])
        #expect(
            collector.definitions.map(\.type) == [
                .heartRate, .stepCount, .bodyMass, .height, .activeEnergyBurned,
            ])
        #expect(collector.definitions.map(\.continuesInBackground) == [false, true, true, false, true])
    }

    @Test("a definition for the background brings its own rule for the anchor")
    func replacement() async throws {
        let anchors = MemoryAnchors()
        let collector = HealthCollector(Handler(), anchors: anchors)
        collector.register([
            CollectSamples(.stepCount, timeRange: .startingAt(Self.january), keepsAnchor: false),
            CollectSamples(
                .stepCount, continueInBackground: true, timeRange: .startingAt(Self.january)),
        ])
        try await collector.collect(from: SyncDocument(steps: 0..<6).store)
        #expect(await anchors.anchoredTypes(of: "") == [.stepCount])
    }

    @Test("delivers deletions before additions, each once, and nothing for nothing")
    func delivery() async throws {
        let handler = Handler()
        let anchors = MemoryAnchors()
        let collector = HealthCollector(handler, anchors: anchors)
        collector.register([CollectSamples(.stepCount, timeRange: .startingAt(Self.january))])
        let first = SyncDocument(steps: 0..<6)
        try await collector.collect(from: first.store)
        #expect(handler.calls.allSatisfy { $0.hasPrefix("new") })
        try await collector.collect(from: first.store)
        #expect(handler.calls == [])
        // One span, so that both are in one batch.
        try await collector.collect(from: SyncDocument(steps: 2..<7).store)
        #expect(handler.calls.first == "deleted 2")

        handler.fail(true)
        let last = SyncDocument(steps: 2..<9)
        await #expect(throws: Failure.self) { try await collector.collect(from: last.store) }
        handler.fail(false)
        _ = handler.calls
        #expect(
            try await collector.collect(from: last.store).total.added == 2, "what failed is delivered again")
        try await collector.resetSampleCollection(for: .stepCount)
        #expect(try await collector.collect(from: last.store).total.isEmpty)
        collector.register([CollectSamples(.stepCount, timeRange: .startingAt(Self.january))])
        #expect(try await collector.collect(from: last.store).total.added == 7)
    }

    @Test(
        "starts as it was asked to, from the minute of the registration, with a predicate, and without an anchor"
    )
    func settings() async throws {
        let document = SyncDocument(steps: 0..<20)
        let week = 7 * 86400
        let start = Self.january.seconds + 10 * week
        func collector(_ definition: CollectSamples, _ anchors: MemoryAnchors, at now: Int) -> HealthCollector
        {
            let collector = HealthCollector(Handler(), anchors: anchors) { now }
            collector.register([definition])
            return collector
        }
        let anchors = MemoryAnchors()
        let manual = CollectSamples(.stepCount, start: .manual)
        let first = collector(manual, anchors, at: start + 30)
        #expect(try await first.collect(from: document.store).total.isEmpty)
        first.triggerDataSourceCollection()
        #expect(try await first.collect(from: document.store, inBackground: true).total.isEmpty)
        #expect(try await first.collect(from: document.store).total.added == 10)
        // A later process still counts from the first registration.
        let later = collector(CollectSamples(.stepCount), anchors, at: start + 15 * week)
        #expect(try await later.collect(from: SyncDocument(steps: 0..<22).store).total.added == 2)

        let odd = CollectSamples(.stepCount, timeRange: .startingAt(Self.january), keepsAnchor: false) {
            Int($0.value ?? "").map { !$0.isMultiple(of: 2) } ?? false
        }
        for _ in 0..<2 {
            let forgetful = collector(odd, anchors, at: 0)
            #expect(try await forgetful.collect(from: document.store).total.added == 10)
            #expect(try await forgetful.collect(from: document.store).total.isEmpty)
        }
    }
}
