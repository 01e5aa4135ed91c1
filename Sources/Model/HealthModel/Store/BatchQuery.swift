public import ByteText
public import SampleBatches

/// A query for samples of a store, and how to group them into batches.
public struct BatchQuery: Sendable {
    /// The identifiers of the types, nil for all.
    public let types: Set<ExactName>?
    /// The kinds of which all types are covered that this library does not know, beside ``types``.
    public let unknownKinds: Set<AnySampleType.Kind>
    /// The identifiers of types that are excluded, whatever ``types`` contains.
    public let excludedTypes: Set<ExactName>
    /// Samples that start before this are excluded; nil for no limit.
    public let start: Timestamp?
    /// Samples that start at or after this are excluded; nil for no limit.
    public let end: Timestamp?
    /// How samples are grouped into batches.
    public let batchSize: BatchOptions
    /// The only spans of which all samples are needed; nil for all spans.
    ///
    /// A store may also return samples of other spans: it reads as few of them as it easily can.
    public let places: SpanPlaces?

    /// Creates a query for samples of some types that start in a half-open range.
    ///
    /// Samples without a start are included only if there is no lower limit.
    public init(
        types: [AnySampleType]? = nil, excluding excludedTypes: [AnySampleType] = [],
        from start: Timestamp? = nil, to end: Timestamp? = nil, batchSize: BatchOptions = .automatic
    ) {
        places = nil
        unknownKinds = []
        self.types = types.map { Set($0.map { ExactName($0.identifier) }) }
        self.excludedTypes = Set(excludedTypes.map { ExactName($0.identifier) })
        self.start = start
        self.end = end
        self.batchSize = batchSize
    }

    /// Creates a query for samples of some spans, and of no other types.
    public init(_ places: SpanPlaces) {
        self.places = places
        types = Set(places.types.map { ExactName($0.identifier) })
        (unknownKinds, excludedTypes, start, end, batchSize) = ([], [], nil, nil, .automatic)
    }

    /// Creates a query for all samples of the types of a request.
    public init(_ request: SpanRequest, batchSize: BatchOptions = .automatic) {
        (places, start, end, excludedTypes) = (nil, nil, nil, [])
        types = Set(request.types.map { ExactName($0.identifier) })
        unknownKinds = request.unknownKinds
        self.batchSize = batchSize
    }

    /// Whether it asks for all samples of its types, in the batches that suit most.
    package var isWhole: Bool {
        excludedTypes.isEmpty && start == nil && end == nil && batchSize == .automatic
    }

    /// Whether the query covers samples of this element and type.
    public func covers(element: String, type: String) -> Bool {
        guard let name = AnySampleType.identifier(ofElement: element, type: type) else { return false }
        let identifier = ExactName(name)
        guard !excludedTypes.contains(identifier) else { return false }
        return (types?.contains(identifier) ?? true) || AnySampleType(name).isUnknown(of: unknownKinds)
    }

    /// Whether samples of a batch that start between two instants, in seconds since 1970, may be needed.
    package func mayCover(_ batch: SampleBatch.Key, from first: Int?, to last: Int?) -> Bool {
        guard let places else { return true }
        return places.overlap(batch.sampleType, from: first, to: last)
    }

    /// Whether the query covers samples that start at this instant.
    public func covers(start instant: Timestamp?) -> Bool {
        guard let instant else { return start == nil }
        return (start.map { instant.seconds >= $0.seconds } ?? true)
            && (end.map { instant.seconds < $0.seconds } ?? true)
    }
}

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
