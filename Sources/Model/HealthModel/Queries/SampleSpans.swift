public import ByteText

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
    private let selection: RowSelection

    /// Creates a pass over whole spans.
    init(_ store: any HealthStore, _ request: SpanRequest) {
        self.init(store, request, where: .all, in: .ever, .startInside)
    }

    /// Creates a pass over the samples that meet a condition.
    init(
        _ store: any HealthStore, _ request: SpanRequest, where predicate: SamplePredicate,
        in range: QueryTimeRange, _ matching: RangeMatching
    ) {
        self.store = store
        self.request = request
        selection = RowSelection(
            range: range, predicate: predicate, matching: matching, lookback: request.lookback,
            order: .oldestFirst, limit: nil, days: request.days, needsContent: false)
    }

    /// Starts a pass.
    public func makeAsyncIterator() -> Iterator { Iterator(store, request, selection) }

    /// One pass.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
        private var pass: QueryPass
        private let error: HealthStoreError?

        init(_ store: any HealthStore, _ request: SpanRequest, _ selection: RowSelection) {
            pass = QueryPass(store, request, selection)
            error =
                selection.predicate.needsBundleIdentifier ? HealthStoreError(.missingBundleIdentifier) : nil
        }

        /// Returns the samples of the next span, sorted by start; nil after the last.
        ///
        /// - Throws: An error if the store cannot be read; ``HealthStoreError``.
        @concurrent public mutating func next() async throws -> Samples<AnySample>? {
            if let error { throw error }
            return try await pass.next().map { Samples($0) }
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
    ///   - unknownKinds: The kinds of which all types are returned as well that this library does not know.
    ///   - range: The time range.
    ///   - lookback: The seconds before the range in which samples may start.
    ///   - days: The rule for days; nil for the store's rule.
    ///   - leading: The type that comes before all others; nil for none.
    public func spans(
        of types: [AnySampleType], unknown unknownKinds: Set<AnySampleType.Kind> = [],
        in range: QueryTimeRange = .ever, lookback: Int = 0, days: Days? = nil, leading: AnySampleType? = nil
    ) -> SampleSpans {
        SampleSpans(
            self,
            SpanRequest(
                types: types, unknownKinds: unknownKinds, range: range, lookback: lookback, days: days,
                leadingType: leading))
    }

    /// Returns the samples of several types that meet a condition, in one pass.
    ///
    /// - Parameters:
    ///   - types: The types.
    ///   - range: The time range.
    ///   - predicate: A condition that samples must meet.
    ///   - matching: Which samples count as inside the range.
    ///   - lookback: The seconds before the range in which overlapping samples may start.
    ///   - days: The rule for days; nil for the store's rule.
    public func samples(
        of types: [AnySampleType], in range: QueryTimeRange, where predicate: SamplePredicate = .all,
        matching: RangeMatching = .startInside, lookback: Int = 0, days: Days? = nil
    ) -> SampleSpans {
        SampleSpans(
            self,
            SpanRequest(
                types: types, range: range, lookback: matching == .overlapping ? lookback : 0, days: days),
            where: predicate, in: range, matching)
    }
}

extension Samples {
    /// Returns the same samples as another Swift type, such as `QuantitySample`; nil if their type is of another kind.
    public func converted<Other: HealthSample>(to other: Other.Type) -> Samples<Other>? {
        guard Other.kind == nil || Other.kind == type.kind else { return nil }
        return Samples<Other>(storage)
    }
}
