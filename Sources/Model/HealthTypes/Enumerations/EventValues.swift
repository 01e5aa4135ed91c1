/// The value of categories that only record that something happened.
public enum NotApplicableValue: Int, CategoryValue {
    /// Not applicable.
    case notApplicable = 0

    /// HealthKit's name of the enumeration.
    public static let typeName = "HKCategoryValue"
}

/// Whether a person stood during an hour.
public enum AppleStandHourValue: Int, CategoryValue {
    /// Stood.
    case stood = 0
    /// Idle.
    case idle = 1

    /// HealthKit's name of the enumeration.
    public static let typeName = "HKCategoryValueAppleStandHour"
}

/// The reason for a walking steadiness notification.
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

/// The reason for a noise notification.
public enum EnvironmentalAudioExposureEventValue: Int, CategoryValue {
    /// Momentary limit.
    case momentaryLimit = 1

    /// HealthKit's name of the enumeration.
    public static let typeName = "HKCategoryValueEnvironmentalAudioExposureEvent"
    /// The name before iOS 14.
    public static let otherNames = ["HKCategoryValueAudioExposureEventLoudEnvironment": Self.momentaryLimit]
}

/// The reason for a headphone notification.
public enum HeadphoneAudioExposureEventValue: Int, CategoryValue {
    /// Seven day limit.
    case sevenDayLimit = 1

    /// HealthKit's name of the enumeration.
    public static let typeName = "HKCategoryValueHeadphoneAudioExposureEvent"
}

/// The reason for a cardio fitness notification.
public enum LowCardioFitnessEventValue: Int, CategoryValue {
    /// Low fitness.
    case lowFitness = 1

    /// HealthKit's name of the enumeration.
    public static let typeName = "HKCategoryValueLowCardioFitnessEvent"
}
