import SampleBatches

/// A type of data that HealthKit stores, known in advance or not, without the type of its samples.
///
/// An export may contain types that are not in ``known``: for these there is only the identifier, of which
/// ``title(of:)`` and ``shortName(of:)`` still make something readable. ``SampleType`` adds the type of the samples.
public struct AnySampleType: Sendable {
    /// What kind of samples a type has.
    public enum Kind: String, Sendable, CaseIterable {
        /// A number with a unit.
        case quantity
        /// One of a few values.
        case category
        /// Several samples that belong together, such as the two of a blood pressure.
        case correlation
        /// A medical record that an institution has sent.
        case clinical
        /// A fact that is stated once about the person, without a time.
        case characteristic
        /// A special type: workouts, electrocardiograms, assessments.
        case other
    }

    /// HealthKit's name, as it is in an export: `HKQuantityTypeIdentifierHeartRate`.
    public let identifier: String
    /// What kind of samples it has.
    public let kind: Kind
    /// What the Health app calls it in English.
    public let title: String
    /// The units of a quantity.
    let units: PreferredUnits?
    /// How samples are summed up, for quantities.
    public let aggregationStyle: AggregationStyle?
    /// The values that samples of a category can have.
    public let categoryValues: CategoryValues?
    /// The members of a correlation, the part of their identifiers after the prefix of quantities.
    private let memberNames: [String]

    init(
        identifier: String, kind: Kind, title: String, units: PreferredUnits? = nil,
        aggregation: AggregationStyle? = nil, categoryValues: CategoryValues? = nil,
        memberNames: [String] = []
    ) {
        self.identifier = identifier
        self.kind = kind
        self.title = title
        self.units = units
        aggregationStyle = aggregation
        self.categoryValues = categoryValues
        self.memberNames = memberNames
    }

    /// The type with this identifier, exactly as it is written, whether it is known or not.
    ///
    /// An unknown type has the kind that its identifier indicates, and a title made of its words. Use ``named(_:)``
    /// for a name that a person has typed.
    public init(_ identifier: String) {
        self = Self.known(identifier) ?? Self(unknown: identifier)
    }

    private init(unknown identifier: String) {
        let kind = Kind.allCases.first { !$0.prefix.isEmpty && identifier.hasPrefix($0.prefix) } ?? .other
        self.init(identifier: identifier, kind: kind, title: Self.title(of: identifier))
    }

    /// Whether it is one of ``known``.
    public var isKnown: Bool { Self.known(identifier) != nil }

    /// HealthKit's own unit, for known quantities; an export uses the unit that its owner prefers.
    public var canonicalUnit: HealthUnit? { units?.canonical }

    /// The unit in which people of a region read it, for known quantities.
    public func preferredUnit(in system: MeasurementSystem) -> HealthUnit? { units?[system] }

    /// The types of the samples that a correlation consists of.
    public var members: [AnySampleType] { memberNames.map { AnySampleType(Kind.quantity.prefix + $0) } }

    /// The short form of the identifier: `heartRate`.
    public var shortName: String { Self.shortName(of: identifier) }

    /// The short name for a message: that of an unknown type is quoted and escaped, because an export chose it.
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
    /// What the identifiers of such types start with; nothing for special types, which follow no rule.
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
