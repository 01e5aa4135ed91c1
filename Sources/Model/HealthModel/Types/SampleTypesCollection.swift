/// A set of sample types.
///
/// ```swift
/// var types: SampleTypesCollection = [.heartRate, .stepCount, .bloodPressure]
/// types.insert(.sleepAnalysis)
/// ```
public struct SampleTypesCollection: Sendable, Hashable {
    private var types: Set<AnySampleType> = []

    /// Creates a set of types; duplicates count once.
    public init(_ types: some Sequence<AnySampleType> = []) { self.types = Set(types) }

    /// Creates a set of all known types of a kind.
    public init(_ kind: AnySampleType.Kind) {
        self.init(AnySampleType.known.filter { $0.kind == kind })
    }

    /// Creates a set of the types of a group.
    public init(_ group: SampleTypeGroup) { self.init(group.types) }

    /// All known types.
    public static var allKnown: SampleTypesCollection { SampleTypesCollection(AnySampleType.known) }

    /// Adds a type.
    ///
    /// - Returns: false if the set already contains it.
    @discardableResult
    public mutating func insert(_ type: AnySampleType) -> Bool { types.insert(type).inserted }

    /// Adds a type.
    ///
    /// - Returns: false if the set already contains it.
    @discardableResult
    public mutating func insert<Sample>(_ type: SampleType<Sample>) -> Bool { insert(type.erased) }

    /// Removes a type.
    ///
    /// - Returns: false if the set does not contain it.
    @discardableResult
    public mutating func remove(_ type: AnySampleType) -> Bool { types.remove(type) != nil }

    /// Returns whether the set contains a type.
    public func contains(_ type: AnySampleType) -> Bool { types.contains(type) }

    /// Adds the types of another set.
    public mutating func formUnion(_ other: SampleTypesCollection) { types.formUnion(other.types) }
    /// Returns the types of both sets.
    public func union(_ other: SampleTypesCollection) -> SampleTypesCollection {
        SampleTypesCollection(types.union(other.types))
    }

    /// Returns the types of one kind, in the order of their identifiers.
    public func types(of kind: AnySampleType.Kind) -> [AnySampleType] { filter { $0.kind == kind } }
    /// The quantities.
    public var quantityTypes: [AnySampleType] { types(of: .quantity) }
    /// The categories.
    public var categoryTypes: [AnySampleType] { types(of: .category) }
    /// The correlations.
    public var correlationTypes: [AnySampleType] { types(of: .correlation) }

    /// The set with related types added, as HealthKit expands a request for access.
    ///
    /// A correlation is replaced by its members. A heartbeat series adds heart rate variability, a route adds workouts,
    /// and one half of a blood pressure adds the other.
    public var expanded: SampleTypesCollection {
        var expanded: Set<AnySampleType> = []
        for type in types {
            expanded.formUnion(type.kind == .correlation && !type.members.isEmpty ? type.members : [type])
            if type == .heartbeatSeries { expanded.insert(.heartRateVariabilitySDNN) }
            if type == .workoutRoute { expanded.insert(.workout) }
            if AnySampleType.bloodPressure.members.contains(type) {
                expanded.formUnion(AnySampleType.bloodPressure.members)
            }
        }
        return SampleTypesCollection(expanded)
    }
}

extension SampleTypesCollection: ExpressibleByArrayLiteral {
    /// Creates a set of types; duplicates count once.
    public init(arrayLiteral types: AnySampleType...) { self.init(types) }
}

extension SampleTypesCollection: Sequence {
    /// Iterates over the types in the order of their identifiers.
    public func makeIterator() -> IndexingIterator<[AnySampleType]> {
        types.sorted { $0.identifier.utf8.lexicographicallyPrecedes($1.identifier.utf8) }.makeIterator()
    }

    /// Number of types.
    public var count: Int { types.count }
    /// Whether the set is empty.
    public var isEmpty: Bool { types.isEmpty }
}

extension SampleTypesCollection: Codable {
    /// Writes the types as ``SampleTypeProxy`` writes them, in the order of their identifiers.
    public func encode(to encoder: any Encoder) throws { try map { SampleTypeProxy($0) }.encode(to: encoder) }

    /// Reads what ``encode(to:)`` writes.
    ///
    /// - Throws: ``HealthTypesError``.
    public init(from decoder: any Decoder) throws {
        self.init(try [SampleTypeProxy](from: decoder).map(\.type))
    }
}

/// A sample type as one string, `"quantity;HKQuantityTypeIdentifierHeartRate"`, for files and settings.
///
/// Unknown types are written and read like all others.
public struct SampleTypeProxy: Sendable, Hashable {
    /// The type.
    public let type: AnySampleType

    /// Creates the proxy of a type.
    public init(_ type: AnySampleType) { self.type = type }

    /// Creates the proxy of a type.
    public init<Sample>(_ type: SampleType<Sample>) { self.type = type.erased }

    /// The string that stands for the type.
    public var text: String { "\(type.kind.rawValue);\(type.identifier)" }

    /// Reads the string that stands for a type.
    ///
    /// - Throws: ``HealthTypesError`` if the part before the semicolon is no kind, or if the identifier is empty or
    ///   belongs to a type of another kind.
    public init(parsing text: String) throws(HealthTypesError) {
        let parts = text.split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let kind = AnySampleType.Kind(rawValue: String(parts[0])) else {
            throw HealthTypesError(.unknownKind, text)
        }
        type = AnySampleType(String(parts[1]))
        guard !parts[1].isEmpty, type.kind == kind else { throw HealthTypesError(.unknownIdentifier, text) }
    }
}

extension SampleTypeProxy: Codable {
    /// Writes the string.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }

    /// Reads the string.
    ///
    /// - Throws: ``HealthTypesError``.
    public init(from decoder: any Decoder) throws {
        try self.init(parsing: try decoder.singleValueContainer().decode(String.self))
    }
}
