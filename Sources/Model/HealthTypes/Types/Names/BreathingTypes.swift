// Quantities of breathing, under the titles of the Health app.
extension QuantityTypeNames {
    /// Breathing Disturbances.
    public static var appleSleepingBreathingDisturbances: Self {
        Self(known: "HKQuantityTypeIdentifierAppleSleepingBreathingDisturbances")
    }
    /// Forced Expiratory Volume, 1 sec.
    public static var forcedExpiratoryVolume1: Self {
        Self(known: "HKQuantityTypeIdentifierForcedExpiratoryVolume1")
    }
    /// Forced Vital Capacity.
    public static var forcedVitalCapacity: Self { Self(known: "HKQuantityTypeIdentifierForcedVitalCapacity") }
    /// Inhaler Usage.
    public static var inhalerUsage: Self { Self(known: "HKQuantityTypeIdentifierInhalerUsage") }
    /// Peak Expiratory Flow Rate.
    public static var peakExpiratoryFlowRate: Self {
        Self(known: "HKQuantityTypeIdentifierPeakExpiratoryFlowRate")
    }
}
