/// The value of categories that have no values: that it happened is all they say.
public enum NotApplicableValue: Int, CategoryValue {
    /// Not applicable.
    case notApplicable = 0

    /// HealthKit's name of the enumeration.
    public static let typeName = "HKCategoryValue"
}

/// Whether a person stood in an hour.
public enum AppleStandHourValue: Int, CategoryValue {
    /// Stood.
    case stood = 0
    /// Idle.
    case idle = 1

    /// HealthKit's name of the enumeration.
    public static let typeName = "HKCategoryValueAppleStandHour"
}

/// What a notification about walking steadiness is about.
public enum AppleWalkingSteadinessEventValue: Int, CategoryValue {
    /// Initial low.
    case initialLow = 1
    /// Initial very low.
    case initialVeryLow = 2
    /// Repeat low.
    case repeatLow = 3
    /// Repeat very low.
    case repeatVeryLow = 4

    /// HealthKit's name of the enumeration.
    public static let typeName = "HKCategoryValueAppleWalkingSteadinessEvent"
}

/// What a notification about noise is about.
public enum EnvironmentalAudioExposureEventValue: Int, CategoryValue {
    /// Momentary limit.
    case momentaryLimit = 1

    /// HealthKit's name of the enumeration.
    public static let typeName = "HKCategoryValueEnvironmentalAudioExposureEvent"
    /// The name before iOS 14.
    public static let otherNames = ["HKCategoryValueAudioExposureEventLoudEnvironment": Self.momentaryLimit]
}

/// What a notification about headphones is about.
public enum HeadphoneAudioExposureEventValue: Int, CategoryValue {
    /// Seven day limit.
    case sevenDayLimit = 1

    /// HealthKit's name of the enumeration.
    public static let typeName = "HKCategoryValueHeadphoneAudioExposureEvent"
}

/// What a notification about cardio fitness is about.
public enum LowCardioFitnessEventValue: Int, CategoryValue {
    /// Low fitness.
    case lowFitness = 1

    /// HealthKit's name of the enumeration.
    public static let typeName = "HKCategoryValueLowCardioFitnessEvent"
}
