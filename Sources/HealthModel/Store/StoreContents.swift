public import SampleBatches

/// The contents of a store.
public struct StoreContents: Sendable, Equatable {
    /// What distinguishes this content from any other.
    public var fingerprint = StoreFingerprint()
    /// When the export was made, nil if it does not say.
    public var exportDate: Timestamp?
    /// The types that the store has samples of, in the order of their identifiers.
    public var types: [TypeExtent] = []
    /// The facts that are stated once about the person, in the order of the source.
    public var characteristics: [Characteristic] = []
    /// Names of the sources of samples, sorted.
    public var sources: [String] = []

    /// Whether it is a selection: some of the source was left out on purpose.
    public var isSelection = false

    /// Creates empty contents.
    public init() {}

    /// Returns the extent of a type; nil if there are no samples of it.
    public func extent(of type: SampleType) -> TypeExtent? {
        types.first { ExactName($0.type.identifier) == ExactName(type.identifier) }
    }
}

/// The number of samples of a type, and the range of their starts.
public struct TypeExtent: Sendable, Equatable {
    /// The type.
    public let type: SampleType
    /// Number of samples.
    public var count: Int
    /// The earliest start; nil if no sample has one.
    public var first: Timestamp?
    /// The latest start.
    public var last: Timestamp?

    /// Creates an extent.
    public init(type: SampleType, count: Int = 0, first: Timestamp? = nil, last: Timestamp? = nil) {
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

/// A fact that is stated once about the person.
public struct Characteristic: Sendable, Equatable {
    /// HealthKit's name: `HKCharacteristicTypeIdentifierDateOfBirth`.
    public let identifier: String
    /// Its value, as in the source: `1980-01-31`, `HKBiologicalSexFemale`.
    public let value: String

    /// Creates a characteristic.
    public init(identifier: String, value: String) {
        self.identifier = identifier
        self.value = value
    }
}
