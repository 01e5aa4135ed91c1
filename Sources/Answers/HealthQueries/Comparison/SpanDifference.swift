public import HealthModel
public import SampleBatches

/// The samples of one type that start in one calendar span, and that only one of two stores has.
public struct SpanDifference: Sendable {
    /// Element, type and span; the part is 0.
    public let key: SampleBatch.Key
    /// The type of the samples.
    public let type: AnySampleType
    /// The samples that only the older store has, by start.
    public let deleted: [IdentifiedSample]
    /// The samples that only the newer store has, by start.
    public let added: [IdentifiedSample]

    init?(_ older: SpanSamples?, _ newer: SpanSamples?) {
        guard let either = newer ?? older else { return nil }
        key = either.key
        type = either.type
        if let older, let newer, older.identitySum() == newer.identitySum() { return nil }
        let none = IdentityCounts()
        deleted = older?.samples(missingIn: newer?.identityCounts() ?? none) ?? []
        added = newer?.samples(missingIn: older?.identityCounts() ?? none) ?? []
    }
}

/// The differences between two stores, span by span: by type, then by time.
///
/// The sums of spans are compared first, and samples are read only of those that differ. Only one span of each store is in
/// memory, apart from what the stores keep themselves.
public struct DifferenceSequence: AsyncSequence, Sendable {
    private let older: (any HealthStore)?
    private let newer: any HealthStore
    private let places: @Sendable () async throws -> SpanPlaces

    /// - Parameters:
    ///   - older: The older store; nil for one without samples.
    ///   - places: Returns the spans that may differ.
    init(
        _ older: (any HealthStore)?, _ newer: any HealthStore,
        in places: @escaping @Sendable () async throws -> SpanPlaces
    ) {
        self.older = older
        self.newer = newer
        self.places = places
    }

    /// Starts a pass.
    public func makeAsyncIterator() -> Iterator { Iterator(sequence: self) }

    /// One pass.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
        fileprivate let sequence: DifferenceSequence
        /// The readers of both stores; nil before the first span.
        private var readers: (older: SpanSequence.Iterator?, newer: SpanSequence.Iterator)?
        private var oldSpan: SpanSamples?
        private var newSpan: SpanSamples?

        fileprivate init(sequence: DifferenceSequence) { self.sequence = sequence }

        /// Returns the differences of the next span that has any, nil after the last.
        ///
        /// - Throws: An error if a store cannot be read; `CancellationError` if the task was cancelled.
        @concurrent public mutating func next() async throws -> SpanDifference? {
            if readers == nil {
                let query = BatchQuery(try await sequence.places())
                if query.types?.isEmpty == true { return nil }
                readers = (
                    sequence.older?.spans(query).makeAsyncIterator(),
                    sequence.newer.spans(query).makeAsyncIterator()
                )
                oldSpan = try await readers?.older?.next()
                newSpan = try await readers?.newer.next()
            }
            while oldSpan != nil || newSpan != nil {
                let (old, new) = pair()
                if old != nil { oldSpan = try await readers?.older?.next() }
                if new != nil { newSpan = try await readers?.newer.next() }
                if let difference = SpanDifference(old, new) { return difference }
            }
            return nil
        }

        /// Returns the first span of the two stores, from both if both have it.
        private func pair() -> (older: SpanSamples?, newer: SpanSamples?) {
            guard let oldSpan, let newSpan else { return (oldSpan, newSpan) }
            if oldSpan.rank == newSpan.rank { return (oldSpan, newSpan) }
            return oldSpan.rank < newSpan.rank ? (oldSpan, nil) : (nil, newSpan)
        }
    }
}

extension HealthStore {
    /// Returns the samples that only this store has, and those that only an older one has.
    ///
    /// ```swift
    /// for try await span in new.differences(from: old) {
    ///     print(span.type.title, span.added.count, "new", span.deleted.count, "gone")
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - older: The older store.
    ///   - types: The types; nil for all.
    public func differences(
        from older: any HealthStore, of types: [AnySampleType]? = nil
    ) -> DifferenceSequence {
        DifferenceSequence(older, self) {
            StoreDifference(from: try await older.sums(of: types), to: try await sums(of: types)).places()
        }
    }
}
