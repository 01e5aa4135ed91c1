/// A stage of sleep.
public enum SleepAnalysisValue: Int, CategoryValue {
    /// In bed.
    case inBed = 0
    /// Asleep unspecified.
    case asleepUnspecified = 1
    /// Awake.
    case awake = 2
    /// Asleep core.
    case asleepCore = 3
    /// Asleep deep.
    case asleepDeep = 4
    /// Asleep REM.
    case asleepREM = 5

    /// HealthKit's name of the enumeration.
    public static let typeName = "HKCategoryValueSleepAnalysis"
    /// The name in exports of other versions.
    public static let otherNames = ["HKCategoryValueSleepAnalysisAsleep": Self.asleepUnspecified]
}
