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
/// Each store is read once, and only one span of each is in memory, apart from what the stores keep themselves.
public struct DifferenceSequence: AsyncSequence, Sendable {
    private let older: SpanSequence
    private let newer: SpanSequence

    init(_ older: SpanSequence, _ newer: SpanSequence) {
        self.older = older
        self.newer = newer
    }

    /// Starts a pass.
    public func makeAsyncIterator() -> Iterator { Iterator(older, newer) }

    /// One pass.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
        private var older: SpanSequence.Iterator
        private var newer: SpanSequence.Iterator
        private var oldSpan: SpanSamples?
        private var newSpan: SpanSamples?
        private var isStarted = false

        init(_ older: SpanSequence, _ newer: SpanSequence) {
            self.older = older.makeAsyncIterator()
            self.newer = newer.makeAsyncIterator()
        }

        /// Returns the differences of the next span that has any, nil after the last.
        ///
        /// - Throws: An error if a store cannot be read; `CancellationError` if the task was cancelled.
        @concurrent public mutating func next() async throws -> SpanDifference? {
            if !isStarted {
                oldSpan = try await older.next()
                newSpan = try await newer.next()
                isStarted = true
            }
            while oldSpan != nil || newSpan != nil {
                let (old, new) = pair()
                if old != nil { oldSpan = try await older.next() }
                if new != nil { newSpan = try await newer.next() }
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
        let query = BatchQuery(types: types)
        return DifferenceSequence(older.spans(query), spans(query))
    }
}
