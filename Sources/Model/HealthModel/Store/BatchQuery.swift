public import CivilTime
public import SampleBatches

/// A query for samples of a store, and how to group them into batches.
public struct BatchQuery: Sendable {
    /// The identifiers of the types, nil for all.
    public let types: Set<ExactName>?
    /// The identifiers of types that are excluded, whatever ``types`` contains.
    public let excludedTypes: Set<ExactName>
    /// Samples that start before this are excluded; nil for no limit.
    public let start: Timestamp?
    /// Samples that start at or after this are excluded; nil for no limit.
    public let end: Timestamp?
    /// How samples are grouped into batches.
    public let batchSize: BatchOptions

    /// Creates a query for samples of some types that start in a half-open range.
    ///
    /// Samples without a start are included only if there is no lower limit.
    public init(
        types: [AnySampleType]? = nil, excluding excludedTypes: [AnySampleType] = [],
        from start: Timestamp? = nil, to end: Timestamp? = nil, batchSize: BatchOptions = .automatic
    ) {
        self.types = types.map { Set($0.map { ExactName($0.identifier) }) }
        self.excludedTypes = Set(excludedTypes.map { ExactName($0.identifier) })
        self.start = start
        self.end = end
        self.batchSize = batchSize
    }

    /// Whether the query covers samples of this element and type.
    public func covers(element: String, type: String) -> Bool {
        guard let identifier = AnySampleType.identifier(ofElement: element, type: type).map({ ExactName($0) })
        else { return false }
        return (types?.contains(identifier) ?? true) && !excludedTypes.contains(identifier)
    }

    /// Whether the query covers samples that start at this instant.
    public func covers(start instant: Timestamp?) -> Bool {
        guard let instant else { return start == nil }
        return (start.map { instant.seconds >= $0.seconds } ?? true)
            && (end.map { instant.seconds < $0.seconds } ?? true)
    }
}
