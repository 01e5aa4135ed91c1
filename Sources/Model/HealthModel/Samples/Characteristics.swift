public import CivilTime

/// The facts about the person that an export states once.
public struct Characteristics: Sendable, Equatable {
    /// The facts as written, by HealthKit's names.
    public let values: [String: String]

    /// Creates characteristics from values by HealthKit's names.
    public init(_ values: [String: String]) { self.values = values }

    /// The day of birth, the same in every time zone; nil if it is not stated.
    public var dateOfBirth: CivilDate? {
        self[.dateOfBirth].flatMap { CivilDate(Array($0.utf8).span) }
    }

    /// The sex; nil if it is not stated or not recognised.
    public var biologicalSex: BiologicalSex? { self[.biologicalSex].flatMap { BiologicalSex(named: $0) } }
    /// The blood type; nil if it is not stated or not recognised.
    public var bloodType: BloodType? { self[.bloodType].flatMap { BloodType(named: $0) } }
    /// The skin type; nil if it is not stated or not recognised.
    public var fitzpatrickSkinType: FitzpatrickSkinType? {
        self[.fitzpatrickSkinType].flatMap { FitzpatrickSkinType(named: $0) }
    }
    /// Whether the person uses a wheelchair; exports so far do not state it.
    public var wheelchairUse: WheelchairUse? { self[.wheelchairUse].flatMap { WheelchairUse(named: $0) } }

    /// The value of a characteristic as written; nil if it is not stated.
    public subscript(_ type: AnySampleType) -> String? { values[type.identifier] }
}
