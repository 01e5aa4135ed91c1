public import SampleBatches

/// The contents of a store.
public struct StoreContents: Sendable, Equatable {
    /// What distinguishes this content from any other.
    public var fingerprint = StoreFingerprint()
    /// When the export was made, nil if it does not say.
    public var exportDate: Timestamp?
    /// The rule for days: those in the zone of the export.
    public var days = Days.utc
    /// The types that the store has samples of, in the order of their identifiers.
    public var types: [TypeExtent] = []
    /// Names of the sources of samples, sorted.
    public var sources: [String] = []

    /// Whether it is a selection: some of the source was left out on purpose.
    public var isSelection = false

    /// Creates empty contents.
    public init() {}

    /// The present time of the store: that of the export or, if it does not say, the latest start.
    public var now: Timestamp? {
        exportDate ?? types.compactMap(\.last).max { $0.seconds < $1.seconds }
    }

    /// Returns the extent of a type; nil if there are not samples of it.
    public func extent(of type: AnySampleType) -> TypeExtent? {
        types.first { $0.type == type }
    }
}

/// The number of samples of a type, and the range of their starts.
public struct TypeExtent: Sendable, Equatable {
    /// The type.
    public let type: AnySampleType
    /// Number of samples.
    public var count: Int
    /// The earliest start; nil if no sample has one.
    public var first: Timestamp?
    /// The latest start.
    public var last: Timestamp?

    /// Creates an extent.
    public init(type: AnySampleType, count: Int = 0, first: Timestamp? = nil, last: Timestamp? = nil) {
        self.type = type
        self.count = count
        self.first = first
        self.last = last
    }

    /// Adds more samples.
    public mutating func add(count more: Int, first start: Timestamp?, last end: Timestamp?) {
        count += more
        first.lower(to: start)
        last.raise(to: end)
    }
}
