import SampleBatches

/// A type of data with the Swift type of its samples: `SampleType<QuantitySample>.heartRate`.
///
/// A query for it returns samples of that Swift type.
@dynamicMemberLookup
public struct SampleType<Sample>: Sendable {
    /// The type without the Swift type of its samples.
    public let erased: AnySampleType

    /// Creates the type; the caller must know that its samples are of this kind.
    package init(unchecked erased: AnySampleType) { self.erased = erased }

    /// A property of the erased type: `identifier`, `title`, `canonicalUnit`, ...
    public subscript<Value>(dynamicMember member: KeyPath<AnySampleType, Value>) -> Value {
        erased[keyPath: member]
    }
}

extension SampleType: Hashable, CustomStringConvertible {
    /// Types are the same if their identifiers have the same bytes.
    public static func == (left: Self, right: Self) -> Bool { left.erased == right.erased }
    /// Feeds the identifier to a hasher.
    public func hash(into hasher: inout Hasher) { hasher.combine(erased) }
    /// The identifier.
    public var description: String { erased.description }
}

extension SampleType: KnownTypeNames {
    /// Creates the known type; prefer its static member.
    public init(known type: KnownType) { self.init(unchecked: AnySampleType(known: type)) }
}

/// A type of data that HealthKit stores, known or unknown, without the Swift type of its samples.
///
/// An export may contain types that are not in ``known``: these have only an identifier, which ``title(of:)`` and
/// ``shortName(of:)`` make readable. ``SampleType`` adds the Swift type of the samples.
public struct AnySampleType: Sendable {
    /// The kind of samples that a type has.
    public enum Kind: String, Sendable, CaseIterable {
        /// A number with a unit.
        case quantity
        /// One of a few values.
        case category
        /// Several samples that belong together, such as the two values of a blood pressure.
        case correlation
        /// A medical record from an institution.
        case clinical
        /// A fact about the person that is stated once, without a time.
        case characteristic
        /// A special type: workouts, electrocardiograms, assessments.
        case other
    }

    /// HealthKit's name, as written in an export: `HKQuantityTypeIdentifierHeartRate`.
    public let identifier: String
    /// The kind of its samples.
    public let kind: Kind
    /// The place of a known type in `KnownType.all`, where everything else about it is.
    private let number: Int?

    /// Creates a known type.
    ///
    /// - Parameter number: Its place in `KnownType.all`.
    init(numbered number: Int) {
        let known = KnownType.all[number]
        (identifier, kind) = (known.identifier, known.kind)
        self.number = number
    }

    private init(unknown identifier: String) {
        self.identifier = identifier
        kind = Kind.allCases.first { !$0.prefix.isEmpty && identifier.hasPrefix($0.prefix) } ?? .other
        number = nil
    }

    /// Creates the type with this exact identifier, known or unknown.
    ///
    /// The kind and title of an unknown type are derived from its identifier. Use ``named(_:)`` for a name entered by a
    /// person.
    public init(_ identifier: String) {
        self = Self.known(identifier) ?? Self(unknown: identifier)
    }

    private var facts: KnownType? { number.map { KnownType.all[$0] } }

    /// Whether it is one of ``known``.
    public var isKnown: Bool { number != nil }

    /// The Health app's English name for it.
    public var title: String { facts?.title ?? Self.title(ofUnknown: identifier) }

    /// The groups that a known type belongs to.
    var groups: [SampleTypeGroup] { facts?.groups ?? [] }

    /// How samples are aggregated, for quantities.
    public var aggregationStyle: AggregationStyle? { facts?.aggregation }

    /// The values that samples of a category can have.
    public var categoryValues: CategoryValues? { facts?.values }

    /// HealthKit's own unit, for known quantities; an export uses the unit that the phone's owner prefers.
    public var canonicalUnit: HealthUnit? { facts?.units?.canonicalUnit }

    /// Returns the unit that people in a region use, for known quantities.
    public func preferredUnit(in system: MeasurementSystem) -> HealthUnit? { facts?.units?.unit(in: system) }

    /// The types of the samples that a correlation consists of.
    public var members: [AnySampleType] { facts?.members.map { AnySampleType(known: $0) } ?? [] }

    /// The short form of the identifier: `heartRate`.
    public var shortName: String { Self.shortName(of: identifier) }

    /// The short name for use in messages; for an unknown type it is quoted and escaped, because it comes from an
    /// export.
    public var printableName: String { isKnown ? shortName : shortName.debugDescription }
}

extension AnySampleType: Hashable {
    /// Types are the same if their identifiers have the same bytes.
    public static func == (left: Self, right: Self) -> Bool {
        ExactName(left.identifier) == ExactName(right.identifier)
    }

    /// Feeds the identifier to a hasher.
    public func hash(into hasher: inout Hasher) { hasher.combine(ExactName(identifier)) }
}

extension AnySampleType: CustomStringConvertible {
    /// The identifier.
    public var description: String { identifier }
}

extension AnySampleType.Kind {
    /// The prefix of the identifiers of such types; empty for special types, which have no common prefix.
    var prefix: String {
        switch self {
        case .quantity: "HKQuantityTypeIdentifier"
        case .category: "HKCategoryTypeIdentifier"
        case .correlation: "HKCorrelationTypeIdentifier"
        case .clinical: "HKClinicalTypeIdentifier"
        case .characteristic: "HKCharacteristicTypeIdentifier"
        case .other: ""
        }
    }
}

/// How samples of a quantity are aggregated into one number, named like HealthKit's `HKQuantityAggregationStyle`.
public enum AggregationStyle: String, Sendable, CaseIterable, Codable {
    /// Added up.
    case cumulative
    /// The mean, with equal weights.
    case discreteArithmetic
    /// The mean, weighted by time.
    case discreteTemporallyWeighted
    /// The level of a steady sound with the same energy.
    case discreteEquivalentContinuousLevel
}

extension AnySampleType: Codable {
    /// Reads a type from its identifier.
    public init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(String.self))
    }

    /// Writes the identifier.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(identifier)
    }
}
