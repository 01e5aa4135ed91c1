import ByteText
public import HealthModel
public import SampleBatches

/// The samples of one type that start in one calendar span of a store.
public struct SpanSamples: Sendable {
    /// Element, type and span; the part is 0.
    public let key: SampleBatch.Key
    /// The type of the samples.
    public let type: AnySampleType
    private let parts: [SampleBatch]

    init(_ parts: [SampleBatch]) {
        key = parts[0].key.ofSpan
        self.parts = parts
        type = parts[0].sampleType
    }

    /// The samples by start.
    public var samples: Samples<AnySample> { Samples(span: parts) }

    /// Number of samples.
    public var count: Int { parts.total(\.count) }

    /// Returns the count and the sum of the samples' identities.
    public func identitySum() -> IdentitySum {
        var sum = IdentitySum()
        for part in parts { sum.add(part.identitySum()) }
        return sum
    }

    /// Returns the samples that are not among known ones, by start; exact copies count as often as they occur.
    public func samples(missingIn known: IdentityCounts) -> [IdentifiedSample] {
        let samples = samples
        var seen = IdentityCounts()
        var missing: [IdentifiedSample] = []
        var index = 0
        samples.forEachIdentity { _, identity in
            let ordinal = seen.add(identity)
            if ordinal >= known[identity] {
                missing.append(
                    IdentifiedSample(
                        id: SampleID(type: type, identity: identity, ordinal: ordinal),
                        sample: samples[index]))
            }
            index += 1
        }
        return missing
    }

    /// Returns how often each identity occurs.
    public func identityCounts() -> IdentityCounts {
        var counts = IdentityCounts()
        samples.forEachIdentity { _, identity in counts.add(identity) }
        return counts
    }

    /// Its rank among the spans of stores; spans of two stores with the same key have the same rank.
    var rank: SpanRank {
        SpanRank(
            identifier: ExactName(type.identifier), key: TypeKey(element: key.element, type: key.type),
            first: parts.compactMap { $0.first?.seconds }.min(), span: key.span)
    }
}

/// A sample with its identifier, which costs time to compute.
public struct IdentifiedSample: Sendable {
    /// The identifier.
    public let id: SampleID
    /// The sample.
    public let sample: AnySample

    /// Creates an identified sample.
    public init(id: SampleID, sample: AnySample) {
        self.id = id
        self.sample = sample
    }
}

/// The order of spans: by type, then by time.
struct SpanRank: Comparable {
    let identifier: ExactName
    let key: TypeKey
    let first: Int?
    let span: String

    static func == (left: SpanRank, right: SpanRank) -> Bool {
        left.key == right.key && left.span == right.span
    }

    static func < (left: SpanRank, right: SpanRank) -> Bool {
        if left == right { return false }
        return (left.identifier, left.key, left.first == nil ? 1 : 0, left.first ?? 0)
            < (right.identifier, right.key, right.first == nil ? 1 : 0, right.first ?? 0)
    }
}

/// The batches of a store, joined into whole spans.
public struct SpanSequence: AsyncSequence, Sendable {
    private let batches: BatchSequence
    private let places: SpanPlaces?

    /// Joins batches that are ordered as `HealthStore.batches(_:)` returns them.
    ///
    /// - Parameters:
    ///   - batches: The batches.
    ///   - places: The spans that are returned; nil for all.
    public init(_ batches: BatchSequence, in places: SpanPlaces? = nil) {
        self.batches = batches
        self.places = places
    }

    /// Starts a pass.
    public func makeAsyncIterator() -> Iterator { Iterator(batches, places) }

    /// One pass.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
        private var batches: BatchSequence.Iterator
        private let places: SpanPlaces?
        private var pending: SampleBatch?

        init(_ batches: BatchSequence, _ places: SpanPlaces?) {
            self.batches = batches.makeAsyncIterator()
            self.places = places
        }

        /// Returns the next span, nil after the last.
        ///
        /// - Throws: An error if the store cannot be read; `CancellationError` if the task was cancelled.
        @concurrent public mutating func next() async throws -> SpanSamples? {
            var parts: [SampleBatch] = []
            if let batch = pending.take() { parts.append(batch) }
            while let batch = try await batches.next() {
                // The store may return others.
                if let places, !places.contains(batch.key) { continue }
                if let first = parts.first, first.key.ofSpan != batch.key.ofSpan {
                    pending = batch
                    break
                }
                parts.append(batch)
            }
            return parts.isEmpty ? nil : SpanSamples(parts)
        }
    }
}

extension HealthStore {
    /// Returns the samples that a query covers, span by span.
    public func spans(_ query: BatchQuery) -> SpanSequence {
        SpanSequence(batches(query), in: query.places)
    }
}
