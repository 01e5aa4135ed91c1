extension SampleType {
    /// Energy burned by moving.
    public static let activeEnergyBurned = named("HKQuantityTypeIdentifierActiveEnergyBurned")
    /// Energy burned at rest.
    public static let basalEnergyBurned = named("HKQuantityTypeIdentifierBasalEnergyBurned")
    /// Blood oxygen saturation, a fraction.
    public static let bloodOxygen = named("HKQuantityTypeIdentifierOxygenSaturation")
    /// Blood pressure, a correlation of two quantities.
    public static let bloodPressure = named("HKCorrelationTypeIdentifierBloodPressure")
    /// Weight.
    public static let bodyMass = named("HKQuantityTypeIdentifierBodyMass")
    /// Distance covered on foot.
    public static let distanceWalkingRunning = named("HKQuantityTypeIdentifierDistanceWalkingRunning")
    /// Heart rate.
    public static let heartRate = named("HKQuantityTypeIdentifierHeartRate")
    /// Sleep, in stages.
    public static let sleepAnalysis = named("HKCategoryTypeIdentifierSleepAnalysis")
    /// Steps.
    public static let stepCount = named("HKQuantityTypeIdentifierStepCount")
    /// Workouts.
    public static let workout = named("HKWorkoutTypeIdentifier")
}
