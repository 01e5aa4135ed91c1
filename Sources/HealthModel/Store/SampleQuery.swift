public import SampleBatches

/// Which samples of a store are wanted, and how they are put into batches.
public struct SampleQuery: Sendable {
    /// The identifiers of the types, nil for all.
    public let types: Set<ExactName>?
    /// The identifiers of types that are left out, whatever ``types`` says.
    public let excludedTypes: Set<ExactName>
    /// Samples that start before are left out; nil for no limit.
    public let start: Timestamp?
    /// Samples that start then or later are left out; nil for no limit.
    public let end: Timestamp?
    /// How they are put into batches.
    public let batchSize: BatchOptions

    /// A query for samples of some types whose start lies in a half-open range.
    ///
    /// Samples without a start lie in no range, so that they come only where there is no limit at the start.
    public init(
        types: [SampleType]? = nil, excluding excludedTypes: [SampleType] = [],
        from start: Timestamp? = nil, to end: Timestamp? = nil, batchSize: BatchOptions = .automatic
    ) {
        self.types = types.map { Set($0.map { ExactName($0.identifier) }) }
        self.excludedTypes = Set(excludedTypes.map { ExactName($0.identifier) })
        self.start = start
        self.end = end
        self.batchSize = batchSize
    }

    /// The query covers samples of this element and type.
    public func covers(element: String, type: String) -> Bool {
        guard let identifier = SampleType.identifier(ofElement: element, type: type).map({ ExactName($0) })
        else { return false }
        return (types?.contains(identifier) ?? true) && !excludedTypes.contains(identifier)
    }

    /// The query covers samples that start at this instant.
    public func covers(start instant: Timestamp?) -> Bool {
        guard let instant else { return start == nil }
        return (start.map { instant.seconds >= $0.seconds } ?? true)
            && (end.map { instant.seconds < $0.seconds } ?? true)
    }
}
