/// A stage of sleep.
public enum SleepAnalysisValue: Int, CategoryValue {
    case inBed = 0
    case asleepUnspecified, awake, asleepCore, asleepDeep, asleepREM

    /// HealthKit's name of the enumeration.
    public static let typeName = "HKCategoryValueSleepAnalysis"
    /// The name in exports of other versions.
    public static let otherNames = ["HKCategoryValueSleepAnalysisAsleep": Self.asleepUnspecified]
}

/// The value of categories that only record that something happened.
public enum NotApplicableValue: Int, CategoryValue {
    case notApplicable = 0

    /// HealthKit's name of the enumeration.
    public static let typeName = "HKCategoryValue"
}

/// Whether a person stood during an hour.
public enum AppleStandHourValue: Int, CategoryValue {
    case stood = 0
    case idle

    /// HealthKit's name of the enumeration.
    public static let typeName = "HKCategoryValueAppleStandHour"
}

/// The reason for a walking steadiness notification.
public enum AppleWalkingSteadinessEventValue: Int, CategoryValue {
    case initialLow = 1
    case initialVeryLow, repeatLow, repeatVeryLow

    /// HealthKit's name of the enumeration.
    public static let typeName = "HKCategoryValueAppleWalkingSteadinessEvent"
}

/// The reason for a noise notification.
public enum EnvironmentalAudioExposureEventValue: Int, CategoryValue {
    case momentaryLimit = 1

    /// HealthKit's name of the enumeration.
    public static let typeName = "HKCategoryValueEnvironmentalAudioExposureEvent"
    /// The name before iOS 14.
    public static let otherNames = ["HKCategoryValueAudioExposureEventLoudEnvironment": Self.momentaryLimit]
}

/// The reason for a headphone notification.
public enum HeadphoneAudioExposureEventValue: Int, CategoryValue {
    case sevenDayLimit = 1

    /// HealthKit's name of the enumeration.
    public static let typeName = "HKCategoryValueHeadphoneAudioExposureEvent"
}

/// The reason for a cardio fitness notification.
public enum LowCardioFitnessEventValue: Int, CategoryValue {
    case lowFitness = 1

    /// HealthKit's name of the enumeration.
    public static let typeName = "HKCategoryValueLowCardioFitnessEvent"
}

/// How severe a symptom is.
public enum SeverityValue: Int, CategoryValue {
    case unspecified = 0
    case notPresent, mild, moderate, severe

    /// HealthKit's name of the enumeration.
    public static let typeName = "HKCategoryValueSeverity"
}

/// Whether a symptom is present.
public enum PresenceValue: Int, CategoryValue {
    case present = 0
    case notPresent

    /// HealthKit's name of the enumeration.
    public static let typeName = "HKCategoryValuePresence"
}

/// How a person's appetite has changed.
public enum AppetiteChangesValue: Int, CategoryValue {
    case unspecified = 0
    case noChange, decreased, increased

    /// HealthKit's name of the enumeration.
    public static let typeName = "HKCategoryValueAppetiteChanges"
}

/// The amount of menstrual flow.
public enum MenstrualFlowValue: Int, CategoryValue {
    case unspecified = 1
    case light, medium, heavy, none

    /// HealthKit's name of the enumeration.
    public static let typeName = "HKCategoryValueMenstrualFlow"
    /// iOS 18 renamed the values, so exports contain either name.
    public static let otherNames = names(in: "HKCategoryValueVaginalBleeding")
}

/// The amount of vaginal bleeding.
public enum VaginalBleedingValue: Int, CategoryValue {
    case unspecified = 1
    case light, medium, heavy, none

    /// HealthKit's name of the enumeration.
    public static let typeName = "HKCategoryValueVaginalBleeding"
    /// iOS 18 renamed the values, so exports contain either name.
    public static let otherNames = names(in: "HKCategoryValueMenstrualFlow")
}

/// The quality of cervical mucus.
public enum CervicalMucusQualityValue: Int, CategoryValue {
    case dry = 1
    case sticky, creamy, watery, eggWhite

    /// HealthKit's name of the enumeration.
    public static let typeName = "HKCategoryValueCervicalMucusQuality"
}

/// The kind of a contraceptive.
public enum ContraceptiveValue: Int, CategoryValue {
    case unspecified = 1
    case implant, injection, intrauterineDevice, intravaginalRing, oral, patch

    /// HealthKit's name of the enumeration.
    public static let typeName = "HKCategoryValueContraceptive"
}

/// The result of an ovulation test.
public enum OvulationTestResultValue: Int, CategoryValue {
    case negative = 1
    case luteinizingHormoneSurge, indeterminate, estrogenSurge

    /// HealthKit's name of the enumeration.
    public static let typeName = "HKCategoryValueOvulationTestResult"
    /// The name in exports of other versions.
    public static let otherNames = [
        "HKCategoryValueOvulationTestResultPositive": Self.luteinizingHormoneSurge
    ]
}

/// The result of a pregnancy test.
public enum PregnancyTestResultValue: Int, CategoryValue {
    case negative = 1
    case positive, indeterminate

    /// HealthKit's name of the enumeration.
    public static let typeName = "HKCategoryValuePregnancyTestResult"
}

/// The result of a progesterone test.
public enum ProgesteroneTestResultValue: Int, CategoryValue {
    case negative = 1
    case positive, indeterminate

    /// HealthKit's name of the enumeration.
    public static let typeName = "HKCategoryValueProgesteroneTestResult"
}
