import ByteText
import HealthModel
import HealthQueries
import SampleBatches

/// What keeps the samples of a type, or of all types, in step with a target.
struct SyncObserver: Sendable {
    /// What batches of all observers are applied with.
    struct Hooks: Sendable {
        var delegate: (any SyncDelegate)?
        var converter: (any SampleConverter)?
    }

    /// Applies a batch of a person, and then saves the pages.
    ///
    /// It throws ``SyncError``, `unsuitable` if the target cannot store one of the samples; nothing is saved then.
    typealias Apply =
        @Sendable (_ batch: SyncBatch, [AnchorPage], _ person: String, Hooks) async throws -> SyncCounts

    /// The type; nil for all.
    let type: AnySampleType?
    /// Where the anchors rest.
    let anchors: any AnchorStore
    /// Whose samples they are.
    var person = ""
    /// Returns the types that must be permitted for a type.
    var requiredTypes: @Sendable (AnySampleType) -> [AnySampleType] = { [$0] }
    /// Returns whether a sample is synchronised; nil if all are.
    var isWanted: (@Sendable (AnySample) -> Bool)?
    let apply: Apply
}

extension SyncObserver {
    /// Makes an observer for an external store.
    init<Store: ExternalStore>(_ type: AnySampleType?, _ store: Store, _ anchors: any AnchorStore) {
        self.init(type: type, anchors: anchors, requiredTypes: { Store.Object.requiredTypes(for: $0) }) {
            batch, pages, person, hooks in
            let synchronizer = Synchronizer(store, delegate: hooks.delegate, converter: hooks.converter)
            guard let store = store as? any TransactionalStore else {
                let counts = try await synchronizer.synchronize(batch)
                try await anchors.save(pages, of: person)
                return counts
            }
            try await store.begin(of: person)
            do {
                let counts = try await synchronizer.synchronize(batch)
                try await store.commit(saving: pages)
                return counts
            } catch {
                await store.rollBack()
                throw error
            }
        }
    }

    /// Returns whether a type may be synchronised, where only some types are permitted.
    func isPermitted(_ type: AnySampleType, in permitted: Set<AnySampleType>?) -> Bool {
        permitted.map { $0.isSuperset(of: requiredTypes(type)) } ?? true
    }
}

extension AnchorStore {
    /// Returns the summaries of the pages of types, by span.
    func summaries(
        of types: [AnySampleType], of person: String
    ) async throws -> [SampleBatch.Key: [AnchorPage.Summary]] {
        var summaries: [SampleBatch.Key: [AnchorPage.Summary]] = [:]
        for type in types {
            for page in try await self.summaries(of: type, of: person) {
                summaries[page.span, default: []].append(page)
            }
        }
        return summaries
    }
}

extension [SampleBatch.Key: [AnchorPage.Summary]] {
    /// The sums of the spans.
    var sums: [SpanSum] { map { SpanSum($0.key, $0.value.sum) } }
}

extension [AnchorPage.Summary] {
    /// The sum of the pages.
    var sum: IdentitySum { reduce(into: IdentitySum()) { $0.add($1.sum) } }
}
