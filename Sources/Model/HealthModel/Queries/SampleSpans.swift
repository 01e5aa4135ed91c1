public import CivilTime

/// The samples of several types, read in one pass: type by type, and each type span by span in chronological order.
///
/// ```swift
/// for try await samples in store.spans(of: [.heartRate, .stepCount, .workout]) {
///     if let quantities = samples.converted(to: QuantitySample.self) { ... }
/// }
/// ```
public struct SampleSpans: AsyncSequence, Sendable {
    private let store: any HealthStore
    private let request: SpanRequest

    init(_ store: any HealthStore, _ request: SpanRequest) {
        self.store = store
        self.request = request
    }

    /// Starts a pass.
    public func makeAsyncIterator() -> Iterator { Iterator(store, request) }

    /// One pass.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
        private var pass: QueryPass

        init(_ store: any HealthStore, _ request: SpanRequest) {
            pass = QueryPass(
                store, request,
                RowSelection(
                    range: .ever, predicate: .all, matching: .startInside, lookback: 0, order: .oldestFirst,
                    limit: nil, days: request.days, needsContent: false))
        }

        /// Returns the samples of the next span, sorted by start; nil after the last.
        ///
        /// - Throws: An error if the store cannot be read.
        @concurrent public mutating func next() async throws -> Samples<AnySample>? {
            try await pass.next().map { Samples($0) }
        }
    }
}

extension HealthStore {
    /// Returns the samples of several types in one pass.
    ///
    /// Whole spans are returned: all that may have a sample in the range, with their other samples.
    ///
    /// - Parameters:
    ///   - types: The types.
    ///   - range: The time range.
    ///   - lookback: The seconds before the range in which samples may start.
    ///   - days: The rule for days; nil for the store's rule.
    public func spans(
        of types: [AnySampleType], in range: QueryTimeRange = .ever, lookback: Int = 0, days: Days? = nil
    ) -> SampleSpans {
        SampleSpans(self, SpanRequest(types: types, range: range, lookback: lookback, days: days))
    }
}

extension Samples {
    /// Returns the same samples as another Swift type, such as `QuantitySample`; nil if their type is of another kind.
    public func converted<Other: HealthSample>(to other: Other.Type) -> Samples<Other>? {
        guard Other.kind == nil || Other.kind == type.kind else { return nil }
        return Samples<Other>(storage)
    }
}
