public import ByteText

/// A query for samples of one type, in a certain order.
public struct SampleQuery<Sample: HealthSample>: Sendable, Equatable {
    /// The type.
    public var type: SampleType<Sample>
    /// The time range.
    public var range: QueryTimeRange
    /// A condition that samples must meet.
    public var predicate: SamplePredicate
    /// Which samples count as inside the range.
    public var matching: RangeMatching
    /// Their order.
    public var order: SampleOrder
    /// The maximum number of samples; nil for all.
    public var limit: Int?
    /// The rule for days; nil for the store's rule.
    public var days: Days?
    /// The seconds before the range in which overlapping samples may start.
    package var lookback = Int.max

    /// Creates a query.
    public init(
        _ type: SampleType<Sample>, in range: QueryTimeRange = .ever, where predicate: SamplePredicate = .all,
        matching: RangeMatching = .startInside, sortedBy order: SampleOrder = .oldestFirst, limit: Int? = nil,
        days: Days? = nil
    ) {
        self.type = type
        self.range = range
        self.predicate = predicate
        self.matching = matching
        self.order = order
        self.limit = limit.map { max(0, $0) }
        self.days = days
    }
}

/// How samples are matched against a time range.
public enum RangeMatching: String, Sendable, Hashable, CaseIterable {
    /// Samples that start in the range: each sample is in exactly one of several adjacent ranges.
    case startInside
    /// Samples that overlap the range: a night counts for both of its days.
    ///
    /// A store must then also read everything that starts before the range.
    case overlapping
}

/// The order of samples.
public enum SampleOrder: String, Sendable, Hashable, CaseIterable {
    /// By start; ties in the order of the source.
    case oldestFirst
    /// The latest first; with a limit, only the last batches are read.
    case newestFirst
}

extension SampleQuery: CustomStringConvertible {
    /// The query in words.
    public var description: String {
        var words = type.erased.shortName
        if predicate != .all { words += " where \(predicate)" }
        if order == .newestFirst { words += ", newest first" }
        if let limit { words += ", at most \(limit)" }
        return words
    }
}

/// The samples of a query, span by span: a random-access collection of samples for each span that has any.
///
/// ```swift
/// for try await samples in store.samples(.heartRate) {
///     for sample in samples { ... }
/// }
/// ```
public struct SampleSequence<Sample: HealthSample>: AsyncSequence, Sendable {
    private let store: any HealthStore
    /// The query.
    public let query: SampleQuery<Sample>

    init(_ store: any HealthStore, _ query: SampleQuery<Sample>) {
        self.store = store
        self.query = query
    }

    /// Starts a pass.
    public func makeAsyncIterator() -> Iterator { Iterator(store, query) }

    /// Returns all samples.
    ///
    /// - Throws: An error if the store cannot be read; ``HealthStoreError``.
    public func all() async throws -> [Sample] {
        var all: [Sample] = []
        for try await samples in self { all += samples }
        return all
    }

    /// Returns the number of samples without decoding them.
    ///
    /// - Throws: An error if the store cannot be read; ``HealthStoreError``.
    public func count() async throws -> Int {
        var count = 0
        for try await samples in self { count += samples.count }
        return count
    }

    /// Returns the first sample, nil if there is none.
    ///
    /// - Throws: An error if the store cannot be read; ``HealthStoreError``.
    public func first() async throws -> Sample? {
        for try await samples in self { return samples.first }
        return nil
    }

    /// One pass.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
        private var pass: QueryPass
        private let error: HealthStoreError?

        init(_ store: any HealthStore, _ query: SampleQuery<Sample>) {
            pass = QueryPass(store, Sample.request(query), query.selection)
            error = query.predicate.needsBundleIdentifier ? HealthStoreError(.missingBundleIdentifier) : nil
        }

        /// Returns the samples of the next span, nil after the last.
        ///
        /// - Throws: An error if the store cannot be read; ``HealthStoreError``.
        @concurrent public mutating func next() async throws -> Samples<Sample>? {
            if let error { throw error }
            return try await pass.next().map { Samples($0) }
        }
    }
}

extension HealthSample {
    /// Returns the request for the batches of a query.
    fileprivate static func request(_ query: SampleQuery<Self>) -> SpanRequest {
        // An export stores heartbeats in the samples of heart rate variability.
        let type: AnySampleType =
            query.type.erased == .heartbeatSeries ? .heartRateVariabilitySDNN : query.type.erased
        return SpanRequest(
            types: [type], range: query.range, lookback: query.matching == .overlapping ? query.lookback : 0,
            isNewestFirst: query.order == .newestFirst, days: query.days)
    }
}

extension SampleQuery {
    fileprivate var selection: RowSelection {
        RowSelection(
            range: range, predicate: predicate, matching: matching, lookback: lookback, order: order,
            limit: limit, days: days, needsContent: type.erased == .heartbeatSeries)
    }
}

extension HealthStore {
    /// Returns the samples of a query, span by span as they are requested.
    public func samples<Sample>(_ query: SampleQuery<Sample>) -> SampleSequence<Sample> {
        SampleSequence(self, query)
    }

    /// Returns the samples of a type, span by span as they are requested.
    ///
    /// ```swift
    /// let newest = try await store.samples(.bodyMass, sortedBy: .newestFirst, limit: 1).first()
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type.
    ///   - range: The time range.
    ///   - predicate: A condition that samples must meet.
    ///   - matching: Which samples count as inside the range.
    ///   - order: Their order.
    ///   - limit: The maximum number of samples; nil for all.
    ///   - days: The rule for days; nil for the store's rule.
    public func samples<Sample>(
        _ type: SampleType<Sample>, in range: QueryTimeRange = .ever,
        where predicate: SamplePredicate = .all, matching: RangeMatching = .startInside,
        sortedBy order: SampleOrder = .oldestFirst, limit: Int? = nil, days: Days? = nil
    ) -> SampleSequence<Sample> {
        samples(
            SampleQuery(
                type, in: range, where: predicate, matching: matching, sortedBy: order, limit: limit,
                days: days))
    }
}
