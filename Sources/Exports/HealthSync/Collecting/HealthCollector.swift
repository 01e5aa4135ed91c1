import ByteText
public import HealthModel
import SampleBatches
import Synchronization
public import SystemIO

/// Delivers new and deleted samples to a handler, as exports or archives arrive.
public final class HealthCollector: Sendable {
    private struct Collector {
        var definition: CollectSamples
        var isStarted: Bool
        /// The anchors of a definition that keeps none.
        let passing = MemoryAnchors()
    }

    private let handler: any CollectionHandler
    private let anchors: any AnchorStore
    private let now: @Sendable () -> Int
    private let collectors = Mutex<[Collector]>([])

    /// Creates a collector of nothing.
    ///
    /// - Parameters:
    ///   - handler: Receives the samples.
    ///   - anchors: Where it is remembered what was delivered; not a target that samples are also synchronised with.
    ///   - now: Returns the seconds since 1970.
    public init(
        _ handler: any CollectionHandler, anchors: any AnchorStore,
        now: @escaping @Sendable () -> Int = { SystemClock.now() }
    ) {
        self.handler = handler
        self.anchors = anchors
        self.now = now
    }

    /// The definitions in effect, one for each type, in the order in which the types were registered.
    public var definitions: [CollectSamples] { collectors.withLock { $0.map(\.definition) } }

    /// Registers definitions.
    ///
    /// A type is collected once. A definition for the background replaces one that is not; all other further definitions
    /// of a type are ignored.
    public func register(_ definitions: [CollectSamples]) {
        collectors.withLock { collectors in
            for definition in definitions {
                let isStarted = definition.start == .automatic
                guard let place = collectors.firstIndex(where: { $0.definition.type == definition.type })
                else {
                    collectors.append(Collector(definition: definition, isStarted: isStarted))
                    continue
                }
                let present = collectors[place].definition
                guard definition.continuesInBackground, !present.continuesInBackground else { continue }
                collectors[place].definition = definition
                collectors[place].isStarted = collectors[place].isStarted || isStarted
            }
        }
    }

    private func anchors(of collector: Collector) -> any AnchorStore {
        collector.definition.keepsAnchor ? anchors : collector.passing
    }

    /// Starts the collections that start manually.
    public func triggerDataSourceCollection() {
        collectors.withLock { collectors in
            for place in collectors.indices { collectors[place].isStarted = true }
        }
    }

    /// Ends the collection of a type, and forgets what was delivered and when it was first registered.
    public func resetSampleCollection(for type: AnySampleType) async throws {
        let removed = collectors.withLock { collectors in
            let removed = collectors.filter { $0.definition.type == type }
            collectors.removeAll { $0.definition.type == type }
            return removed
        }
        for collector in removed {
            let anchors = anchors(of: collector)
            try await anchors.removeAnchors(of: [type], of: "")
            let page = AnchorPage(span: Self.registration(of: type), number: 1)
            try await anchors.save([page], of: "")
        }
    }

    /// Delivers what a store has and was not yet delivered, and what was delivered and the store no longer has.
    ///
    /// - Parameters:
    ///   - store: The store.
    ///   - inBackground: Whether to collect only types that continue in the background.
    ///   - batchSize: The maximum number of samples that the handler receives at a time.
    /// - Returns: The numbers of samples that were delivered.
    /// - Throws: The error of the handler, after which what it has not received stays undelivered.
    @discardableResult
    public func collect(
        from store: any HealthStore, inBackground: Bool = false, batchSize: Int = 1000
    ) async throws -> SyncReport {
        let started = collectors.withLock { collectors in
            collectors.filter { $0.isStarted && (!inBackground || $0.definition.continuesInBackground) }
        }
        guard !started.isEmpty else { return SyncReport() }
        var observers: [SyncObserver] = []
        for collector in started {
            let definition = collector.definition
            let anchors = anchors(of: collector)
            let from: Int
            switch definition.timeRange {
            case .startingAt(let instant): from = instant.seconds
            case .newSamples: from = try await firstMinute(of: definition.type, anchors)
            }
            observers.append(
                SyncObserver(definition.type, anchors, handler) { sample in
                    guard let start = sample.startDate?.seconds, start >= from else { return false }
                    return definition.predicate?(sample) ?? true
                })
        }
        var run = SyncRun(observers, batchSize: batchSize)
        run.places = try await places(observers, in: store)
        return try await run.synchronize(with: store)
    }

    /// Returns the spans in which a store may have other samples than those that were delivered.
    private func places(_ observers: [SyncObserver], in store: any HealthStore) async throws -> SpanPlaces {
        let found = try await store.sums(of: observers.compactMap(\.type))
        var places = SpanPlaces()
        for observer in observers {
            guard let type = observer.type else { continue }
            let known = try await observer.anchors.summaries(of: [type], of: observer.person)
            places.formUnion(
                StoreDifference(from: known.sums, to: found.filter { $0.type == type }).places())
        }
        return places
    }

    /// The key under which the first minute of a type rests among the anchors.
    private static func registration(of type: AnySampleType) -> SampleBatch.Key {
        // No type of samples, so that it is none of the pages of the type.
        SampleBatch.Key(element: "CollectionStart", type: "of " + type.identifier, span: "minute", part: 0)
    }

    /// Returns the minute in which the type was first collected, in seconds since 1970, and remembers it.
    private func firstMinute(of type: AnySampleType, _ anchors: any AnchorStore) async throws -> Int {
        let key = Self.registration(of: type)
        let known = try await anchors.summaries(of: key.sampleType, of: "").filter { $0.span == key }
        if let minute = try await anchors.pages(known, of: "").first?.identities.first {
            return Int(clamping: minute)
        }
        let minute = max(0, now() / 60 * 60)
        try await anchors.save([AnchorPage(span: key, number: 1, identities: [UInt128(minute)])], of: "")
        return minute
    }
}
