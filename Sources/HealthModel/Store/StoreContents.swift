public import SampleBatches

/// What is in a store.
public struct StoreContents: Sendable, Equatable {
    /// What tells this content from any other.
    public var fingerprint = StoreFingerprint()
    /// When the export was made, nil where it does not say.
    public var exportDate: Timestamp?
    /// The types that there are samples of, by their identifiers.
    public var types: [TypeExtent] = []
    /// What is said once about the person, in the order of the source.
    public var characteristics: [Characteristic] = []
    /// Names of the sources of samples, sorted.
    public var sources: [String] = []

    /// It is a selection: some of what the source holds was left out on purpose.
    public var isSelection = false

    /// Nothing.
    public init() {}

    /// What there is of a type; nil for nothing.
    public func extent(of type: SampleType) -> TypeExtent? {
        types.first { ExactName($0.type.identifier) == ExactName(type.identifier) }
    }
}

/// How much there is of a type.
public struct TypeExtent: Sendable, Equatable {
    /// The type.
    public let type: SampleType
    /// Number of samples.
    public var count: Int
    /// The earliest start; nil where no sample has one.
    public var first: Timestamp?
    /// The latest start.
    public var last: Timestamp?

    /// Makes an extent.
    public init(type: SampleType, count: Int = 0, first: Timestamp? = nil, last: Timestamp? = nil) {
        self.type = type
        self.count = count
        self.first = first
        self.last = last
    }

    /// Takes more samples in.
    public mutating func add(count more: Int, first start: Timestamp?, last end: Timestamp?) {
        count += more
        first.lower(to: start)
        last.raise(to: end)
    }
}

/// Something that is said once about the person.
public struct Characteristic: Sendable, Equatable {
    /// HealthKit's name: `HKCharacteristicTypeIdentifierDateOfBirth`.
    public let identifier: String
    /// What it says, as the source has it: `1980-01-31`, `HKBiologicalSexFemale`.
    public let value: String

    /// Makes a characteristic.
    public init(identifier: String, value: String) {
        self.identifier = identifier
        self.value = value
    }
}
