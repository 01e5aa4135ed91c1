/// The facts about a known sample type, as its static member such as `heartRate` declares them.
///
/// Titles are the Health app's. Identifiers, titles and the units that people use are from SpeziHealthKit (MIT),
/// HealthKit's own units and the aggregation styles from the header `HKTypeIdentifiers.h` of iOS 18.1.
public struct KnownType: Sendable {
    /// The units of a quantity, in HealthKit's notation; those that people use are nil if they do not differ.
    struct Units: Sendable {
        let canonical: String
        let metric: String?
        let us: String?
        let uk: String?
    }

    let kind: AnySampleType.Kind
    /// The name of the static member.
    let member: String
    /// HealthKit's name without the prefix of the kind, if it is not ``member``.
    let otherIdentifier: String?
    let otherTitle: String?
    let groups: [SampleTypeGroup]
    /// What people call it, in lower case without spaces.
    let everydayWords: [String]
    let units: Units?
    let aggregation: AggregationStyle?
    let values: CategoryValues?
    /// The quantities that a correlation consists of.
    let members: [KnownType]

    init(
        _ kind: AnySampleType.Kind, _ member: String, identifier: String? = nil, title: String?,
        groups: [SampleTypeGroup] = [], everydayWords: [String] = [], units: Units? = nil,
        aggregation: AggregationStyle? = nil, values: CategoryValues? = nil, members: [KnownType] = []
    ) {
        self.kind = kind
        self.member = member
        otherIdentifier = identifier
        otherTitle = title
        self.groups = groups
        self.everydayWords = everydayWords
        self.units = units
        self.aggregation = aggregation
        self.values = values
        self.members = members
    }

    /// HealthKit's name, as written in an export.
    var identifier: String { kind.prefix + (otherIdentifier ?? NameWords.capitalised(member[...])) }

    /// The Health app's English name: the words of the member without `dietary`, if no other is given.
    var title: String {
        if let otherTitle { return otherTitle }
        let name = member.hasPrefix("dietary") ? member.dropFirst("dietary".count) : member[...]
        return NameWords.words(of: NameWords.capitalised(name)[...]).joined(separator: " ")
    }
}

/// A type whose values are created from known types, with a static member for each.
public protocol KnownTypeNames: Sendable {
    /// Creates the value for a known type.
    init(known type: KnownType)
}

/// A type with a member for each known quantity: ``AnySampleType``, and ``SampleType`` of quantity samples.
public protocol QuantityTypeNames: KnownTypeNames {}
/// A type with a member for each known category.
public protocol CategoryTypeNames: KnownTypeNames {}
/// A type with a member for each known correlation.
public protocol CorrelationTypeNames: KnownTypeNames {}
/// A type with a member for each known type of clinical record.
public protocol ClinicalTypeNames: KnownTypeNames {}
/// A type with a member for each known characteristic.
public protocol CharacteristicTypeNames: KnownTypeNames {}
/// A type with a member for each known type that is none of these, such as workouts.
public protocol SpecialTypeNames: KnownTypeNames {}

/// A type with members for known types of all kinds.
typealias AllTypeNames =
    QuantityTypeNames & CategoryTypeNames & CorrelationTypeNames & ClinicalTypeNames
    & CharacteristicTypeNames & SpecialTypeNames

extension KnownType: AllTypeNames {
    /// Creates the same type.
    public init(known type: KnownType) { self = type }
}

extension AnySampleType: AllTypeNames {
    /// Creates the sample type; prefer its static member.
    public init(known type: KnownType) { self.init(type.identifier) }
}
