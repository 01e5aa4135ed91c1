public import HealthModel

/// A store that is reopened whenever its content changes, such as an export that is replaced by a newer one.
///
/// ```swift
/// let updates = StoreUpdates(every: .seconds(60)) { try ExportStore(path: "export.zip") }
/// for try await samples in updates.continuousQuery(SampleQuery(.heartRate, in: .today)) { ... }
/// ```
public struct StoreUpdates: AsyncSequence, Sendable {
    private let interval: Duration
    private let open: @Sendable () async throws -> any HealthStore

    /// Creates updates.
    ///
    /// - Parameters:
    ///   - interval: The time between checks of the store.
    ///   - open: Opens the store again.
    public init(every interval: Duration, open: @escaping @Sendable () async throws -> any HealthStore) {
        self.interval = interval
        self.open = open
    }

    /// Starts checking the store.
    public func makeAsyncIterator() -> Iterator { Iterator(interval, open) }

    /// Returns the store once at first, and again each time its fingerprint changes.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
        private let interval: Duration
        private let open: @Sendable () async throws -> any HealthStore
        private var last: StoreFingerprint?

        init(_ interval: Duration, _ open: @escaping @Sendable () async throws -> any HealthStore) {
            self.interval = interval
            self.open = open
        }

        /// Returns the store once its content has changed; a store without a fingerprint is returned at each check.
        ///
        /// - Throws: An error if the store cannot be opened or read; `CancellationError`.
        @concurrent public mutating func next() async throws -> (any HealthStore)? {
            while true {
                if last != nil { try await Task.sleep(for: interval) }
                try Task.checkCancellation()
                let store = try await open()
                let fingerprint = try await store.fingerprint()
                // A store may know more of its fingerprint after it is read.
                if last.map({ $0.compare(fingerprint) != .same }) ?? true {
                    last = fingerprint
                    return store
                }
            }
        }
    }

    /// Returns the samples of a query at first, and again each time the store changes.
    public func continuousQuery<Sample>(
        _ query: SampleQuery<Sample>
    ) -> AsyncThrowingMapSequence<StoreUpdates, [Sample]> {
        map { store in try await store.samples(query).all() }
    }

    /// Returns the statistics of a query at first, and again each time the store changes.
    public func continuousStatisticsQuery(
        _ query: StatisticsQuery
    ) -> AsyncThrowingMapSequence<StoreUpdates, StatisticsResult> {
        map { store in try await store.statistics(query) }
    }
}
