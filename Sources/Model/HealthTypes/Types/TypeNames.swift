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

/// A type whose values are created from the identifiers of known types.
public protocol KnownTypeNames: Sendable {
    /// Creates the value for a known type.
    init(known identifier: String)
}

extension AnySampleType: QuantityTypeNames, CategoryTypeNames, CorrelationTypeNames, ClinicalTypeNames,
    CharacteristicTypeNames
{
    /// Creates the known type with this identifier; prefer its static member.
    public init(known identifier: String) { self.init(identifier) }
}

extension AnySampleType {
    /// Audiogram.
    public static var audiogram: Self { Self("HKDataTypeIdentifierAudiogram") }
    /// Electrocardiogram.
    public static var electrocardiogram: Self { Self("HKDataTypeIdentifierElectrocardiogram") }
    /// GAD-7, the assessment of anxiety.
    public static var gad7: Self { Self("HKScoredAssessmentTypeIdentifierGAD7") }
    /// Heartbeat series.
    public static var heartbeatSeries: Self { Self("HKDataTypeIdentifierHeartbeatSeries") }
    /// PHQ-9, the assessment of depression.
    public static var phq9: Self { Self("HKScoredAssessmentTypeIdentifierPHQ9") }
    /// State of mind.
    public static var stateOfMind: Self { Self("HKDataTypeStateOfMind") }
    /// Vision prescription.
    public static var visionPrescription: Self { Self("HKVisionPrescriptionTypeIdentifier") }
    /// Workout.
    public static var workout: Self { Self("HKWorkoutTypeIdentifier") }
    /// Route of a workout.
    public static var workoutRoute: Self { Self("HKWorkoutRouteTypeIdentifier") }
    /// Activity summary: the rings of a day.
    public static var activitySummary: Self { Self("HKActivitySummaryTypeIdentifier") }
}
