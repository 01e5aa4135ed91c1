public import ByteText

/// The activity rings of a day.
public struct ActivitySummary: HealthSample {
    /// A special type.
    public static var kind: AnySampleType.Kind? { .other }
    /// The row.
    public let row: SampleRow
    /// Creates a summary from a row.
    @inlinable public init(row: SampleRow) { self.row = row }

    /// The day, independent of any time zone.
    public var day: CivilDate? { row["dateComponents"].flatMap { CivilDate(Array($0.utf8).span) } }
    /// The energy burned by moving.
    public var activeEnergyBurned: Quantity? { energy("activeEnergyBurned") }
    /// The goal for the energy burned.
    public var activeEnergyBurnedGoal: Quantity? { energy("activeEnergyBurnedGoal") }
    /// The minutes of moving, for people who track these instead of energy.
    public var moveTime: Quantity? { minutes("appleMoveTime") ?? minutes("appleMoveMinutes") }
    /// The goal for the minutes of moving.
    public var moveTimeGoal: Quantity? { minutes("appleMoveTimeGoal") ?? minutes("appleMoveMinutesGoal") }
    /// The minutes of exercise.
    public var exerciseTime: Quantity? { minutes("appleExerciseTime") }
    /// The goal for the minutes of exercise.
    public var exerciseTimeGoal: Quantity? { minutes("appleExerciseTimeGoal") }
    /// The hours in which the person stood.
    public var standHours: Quantity? { count("appleStandHours") }
    /// The goal for the stand hours.
    public var standHoursGoal: Quantity? { count("appleStandHoursGoal") }

    private func energy(_ name: String) -> Quantity? {
        guard let unit = row["activeEnergyBurnedUnit"].flatMap({ try? HealthUnit($0) }) else { return nil }
        return row[name].flatMap { Quantity($0, unit) }
    }

    private func minutes(_ name: String) -> Quantity? { row[name].flatMap { Quantity($0, .minute) } }
    private func count(_ name: String) -> Quantity? { row[name].flatMap { Quantity($0, .count) } }
}

extension SampleType where Sample == ActivitySummary {
    /// The rings of each day.
    public static var activitySummary: Self { Self(unchecked: .activitySummary) }
}

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

    /// The day of birth, or the year alone, which copies have that do not name their person: `1980-02-29` or `1980`.
    public var birth: String? {
        if let day = dateOfBirth { return "\(day)" }
        return self[.dateOfBirth].flatMap { text in
            text.utf8.count == 4 && text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? text : nil
        }
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

/// A medical record from an institution, a FHIR resource in a separate file.
public struct ClinicalRecord: HealthSample {
    /// Any kind: an export states the FHIR resource and not HealthKit's type.
    public static var kind: AnySampleType.Kind? { nil }
    /// The row.
    public let row: SampleRow
    /// Creates a record from a row.
    @inlinable public init(row: SampleRow) { self.row = row }

    /// The type as written, usually that of the FHIR resource: `Observation`.
    public var resourceType: String? { row["type"] }
    /// The identifier of the resource.
    public var identifier: String? { row["identifier"] }
    /// The version of FHIR: `4.0.1`.
    public var fhirVersion: String? { row["fhirVersion"] }
    /// The URL of the institution's server.
    public var sourceURL: String? { row["sourceURL"] }
    /// When the phone received it.
    public var receivedDate: Timestamp? { row.time("receivedDate") }
    /// The path of the resource's file in the export: `clinical-records/Observation-<UUID>.json`.
    public var filePath: String? { row["resourceFilePath"].map { String($0.drop { $0 == "/" }) } }
}

extension SampleType: ClinicalTypeNames where Sample == ClinicalRecord {
    /// Records of one FHIR resource type: `.clinicalRecords(of: "Observation")`.
    public static func clinicalRecords(of resourceType: String) -> Self {
        Self(unchecked: AnySampleType("ClinicalRecord/" + resourceType))
    }
}

/// A record whose meaning is not documented: a state of mind, an assessment, a future type.
///
/// No version of Apple's DTD specifies how an export writes these; value, unit and metadata are as written.
public struct UntypedRecord: HealthSample {
    /// Any kind.
    public static var kind: AnySampleType.Kind? { nil }
    /// The row.
    public let row: SampleRow
    /// Creates a record from a row.
    @inlinable public init(row: SampleRow) { self.row = row }

    /// The value as written.
    public var valueText: String? { row["value"] }
    /// The value; nil if it is not a finite number.
    public var value: Double? { row.number("value") }
    /// The unit as written.
    public var unitText: String? { row["unit"] }
}

extension SampleType where Sample == UntypedRecord {
    /// States of mind.
    public static var stateOfMind: Self { Self(unchecked: .stateOfMind) }
    /// GAD-7, the questionnaire about anxiety.
    public static var gad7: Self { Self(unchecked: .gad7) }
    /// PHQ-9, the questionnaire about depression.
    public static var phq9: Self { Self(unchecked: .phq9) }
}
