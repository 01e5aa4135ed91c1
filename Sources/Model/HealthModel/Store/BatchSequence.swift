import CivilTime
public import SampleBatches

/// Batches of a store, created one by one as they are requested.
public struct BatchSequence: AsyncSequence, Sendable {
    /// The source of the batches of one pass.
    public protocol Source: Sendable {
        /// Returns the next batch, nil after the last.
        ///
        /// - Throws: An error if the store cannot be read; `CancellationError` if the task was cancelled.
        @concurrent mutating func next() async throws -> SampleBatch?
    }

    private let open: @Sendable () throws -> any Source

    /// Creates a sequence from a source, which each pass opens when it requests the first batch.
    public init(_ open: @escaping @Sendable () throws -> any Source) { self.open = open }

    /// Starts a pass.
    public func makeAsyncIterator() -> Iterator { Iterator(open) }

    /// One pass.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
        private let open: @Sendable () throws -> any Source
        private var source: (any Source)?

        fileprivate init(_ open: @escaping @Sendable () throws -> any Source) { self.open = open }

        /// Returns the next batch, nil after the last.
        ///
        /// - Throws: An error if the store cannot be read; `CancellationError` if the task was cancelled.
        @concurrent public mutating func next() async throws -> SampleBatch? {
            try Task.checkCancellation()
            if source == nil { source = try open() }
            return try await source?.next()
        }
    }
}

/// A batch that a store will return, without its samples.
public struct PlannedBatch: Sendable, Equatable {
    /// What the batch contains.
    public let key: SampleBatch.Key
    /// Number of samples.
    public let count: Int
    /// The earliest start in seconds since 1970-01-01T00:00:00Z, nil if no sample has one.
    public let first: Int?

    /// Creates a planned batch from its parts.
    public init(key: SampleBatch.Key, count: Int, first: Int?) {
        self.key = key
        self.count = count
        self.first = first
    }

    /// Creates the plan of an existing batch.
    public init(_ batch: SampleBatch) {
        self.init(key: batch.key, count: batch.count, first: batch.first?.seconds)
    }
}
