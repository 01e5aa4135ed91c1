public import ByteText
public import SampleBatches

/// A request for whole batches, as the store has them, for a typed query.
public struct SpanRequest: Sendable, Equatable {
    /// The types.
    public var types: [AnySampleType]
    /// The kinds of which all types are requested that this library does not know.
    public var unknownKinds: Set<AnySampleType.Kind>
    /// The time range of the query; a store may leave out batches outside it.
    public var range: QueryTimeRange
    /// The maximum number of seconds before the range at which overlapping samples may start.
    public var lookback: Int
    /// Whether the latest spans come first.
    public var isNewestFirst: Bool
    /// The rule for days; nil for the store's rule.
    public var days: Days?
    /// The type that comes before all others, because they can be understood only with it; nil for none.
    public var leadingType: AnySampleType?

    /// Creates a request.
    public init(
        types: [AnySampleType], unknownKinds: Set<AnySampleType.Kind> = [], range: QueryTimeRange = .ever,
        lookback: Int = 0, isNewestFirst: Bool = false, days: Days? = nil, leadingType: AnySampleType? = nil
    ) {
        self.types = types
        self.unknownKinds = unknownKinds
        self.leadingType = leadingType
        self.range = range
        self.lookback = max(0, lookback)
        self.isNewestFirst = isNewestFirst
        self.days = days
    }

    /// Whether samples of this element and type are requested.
    public func covers(element: String, type: String) -> Bool {
        guard let identifier = AnySampleType.identifier(ofElement: element, type: type) else { return false }
        let type = AnySampleType(identifier)
        return types.contains(type) || type.isUnknown(of: unknownKinds)
    }

    /// Returns the instants at which requested samples may start, in seconds since 1970.
    ///
    /// - Parameter contents: The contents of the store.
    public func starts(in contents: StoreContents) -> Range<Int> {
        let range = range.resolved(in: contents, days: days)
        let (lower, isBeyond) = range.lowerBound.subtractingReportingOverflow(lookback)
        return (isBeyond ? .min : lower)..<range.upperBound
    }
}

extension AnySampleType {
    /// Whether it is a type of some kinds that this library does not know.
    func isUnknown(of kinds: Set<Kind>) -> Bool { !kinds.isEmpty && !isKnown && kinds.contains(kind) }
}

/// Batches of a store with no guaranteed order, sorted in memory for a request.
package struct SortedSpans: BatchSequence.Source {
    private let unsorted: BatchSequence
    private let request: SpanRequest
    private var sorted: ArraySlice<SampleBatch>?

    /// Creates a source.
    package init(_ unsorted: BatchSequence, _ request: SpanRequest) {
        self.unsorted = unsorted
        self.request = request
    }

    /// Returns the next batch, nil after the last.
    @concurrent package mutating func next() async throws -> SampleBatch? {
        if sorted == nil {
            var found: [SampleBatch] = []
            for try await batch in unsorted { found.append(batch) }
            sorted =
                SpanOrder.sorted(
                    found, newestFirst: request.isNewestFirst, leading: request.leadingType
                ) { $0 }[...]
        }
        return sorted?.popFirst()
    }
}

/// The order in which a store returns batches: by type, by span, by part.
public enum SpanOrder: Sendable {
    /// Sorts batches.
    ///
    /// - Parameters:
    ///   - batches: Batches, or elements that represent them.
    ///   - newestFirst: Whether the latest spans come first.
    ///   - leading: The type that comes before all others; nil for none.
    ///   - planned: Returns the key, count and earliest start of a batch.
    public static func sorted<Element>(
        _ batches: [Element], newestFirst: Bool = false, leading: AnySampleType? = nil,
        _ planned: (Element) -> some PlannedSpan
    ) -> [Element] {
        var firsts: [SampleBatch.Key: Int] = [:]
        for batch in batches {
            let batch = planned(batch)
            guard let first = batch.firstSecond else { continue }
            firsts[batch.key.ofSpan] = min(first, firsts[batch.key.ofSpan] ?? .max)
        }
        func rank(_ element: Element) -> (ExactName, TypeKey, isUndated: Int, first: Int, part: Int) {
            let key = planned(element).key
            let identifier = key.sampleType.identifier
            let first = firsts[key.ofSpan]
            return (
                // No identifier is empty.
                ExactName(identifier == leading?.identifier ? "" : identifier),
                TypeKey(element: key.element, type: key.type), first == nil ? 1 : 0,
                (newestFirst ? -1 : 1) * (first ?? 0), key.part
            )
        }
        return batches.map { ($0, rank($0)) }.sorted { $0.1 < $1.1 }.map(\.0)
    }
}

/// The properties of a batch that determine its order.
public protocol PlannedSpan {
    /// What the batch contains.
    var key: SampleBatch.Key { get }
    /// The earliest start in seconds since 1970, nil if no sample has one.
    var firstSecond: Int? { get }
}

extension SampleBatch: PlannedSpan {
    /// The earliest start in seconds since 1970, nil if no sample has one.
    public var firstSecond: Int? { first?.seconds }
}

extension PlannedBatch: PlannedSpan {
    /// The earliest start in seconds since 1970, nil if no sample has one.
    public var firstSecond: Int? { first }
}

/// What a store knows of a span without reading its samples.
public struct SpanSum: Sendable, Hashable, Codable {
    /// The type of the samples.
    public let type: AnySampleType
    /// The count and sum of the samples' identities; nil if some samples are missing, so that only reading tells.
    public let identity: IdentitySum?
    /// The earliest start in seconds since 1970; nil if the samples have none.
    public let first: Int?
    /// The latest start in seconds since 1970.
    public let last: Int?

    /// Creates a sum from its parts.
    public init(type: AnySampleType, _ identity: IdentitySum?, first: Int?, last: Int?) {
        self.type = type
        self.identity = identity
        self.first = first
        self.last = last
    }
}
