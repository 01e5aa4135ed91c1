// Quantities of the heart and circulation, under the titles of the Health app.
extension QuantityTypeNames {
    /// AFib History.
    public static var atrialFibrillationBurden: Self {
        Self(known: "HKQuantityTypeIdentifierAtrialFibrillationBurden")
    }
    /// Diastolic Blood Pressure.
    public static var bloodPressureDiastolic: Self {
        Self(known: "HKQuantityTypeIdentifierBloodPressureDiastolic")
    }
    /// Systolic Blood Pressure.
    public static var bloodPressureSystolic: Self {
        Self(known: "HKQuantityTypeIdentifierBloodPressureSystolic")
    }
    /// Heart Rate.
    public static var heartRate: Self { Self(known: "HKQuantityTypeIdentifierHeartRate") }
    /// Cardio Recovery.
    public static var heartRateRecoveryOneMinute: Self {
        Self(known: "HKQuantityTypeIdentifierHeartRateRecoveryOneMinute")
    }
    /// Heart Rate Variability.
    public static var heartRateVariabilitySDNN: Self {
        Self(known: "HKQuantityTypeIdentifierHeartRateVariabilitySDNN")
    }
    /// Peripheral Perfusion Index.
    public static var peripheralPerfusionIndex: Self {
        Self(known: "HKQuantityTypeIdentifierPeripheralPerfusionIndex")
    }
    /// Resting Heart Rate.
    public static var restingHeartRate: Self { Self(known: "HKQuantityTypeIdentifierRestingHeartRate") }
    /// Cardio Fitness.
    public static var vo2Max: Self { Self(known: "HKQuantityTypeIdentifierVO2Max") }
    /// Walking Heart Rate Average.
    public static var walkingHeartRateAverage: Self {
        Self(known: "HKQuantityTypeIdentifierWalkingHeartRateAverage")
    }
}
