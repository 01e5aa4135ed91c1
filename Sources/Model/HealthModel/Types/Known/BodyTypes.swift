// The body.
extension QuantityTypeNames {
    /// Wrist Temperature.
    public static var appleSleepingWristTemperature: Self {
        discrete("degC", us: "degF", .body, .sleep, title: "Wrist Temperature")
    }
    /// Body Fat Percentage.
    public static var bodyFatPercentage: Self { discrete("%", .body, also: "bodyfat") }
    /// Weight.
    public static var bodyMass: Self {
        discrete("kg", us: "lb", uk: "lb", .body, title: "Weight", also: "bodyweight", "mass")
    }
    /// Body Mass Index.
    public static var bodyMassIndex: Self { discrete("count", .body, also: "bmi") }
    /// Electrodermal Activity.
    public static var electrodermalActivity: Self { discrete("S", metric: "mcS", .body) }
    /// Height.
    public static var height: Self { discrete("m", metric: "cm", us: "ft", .body) }
    /// Lean Body Mass.
    public static var leanBodyMass: Self { discrete("kg", us: "lb", uk: "lb", .body) }
    /// Waist Circumference.
    public static var waistCircumference: Self { discrete("m", metric: "cm", us: "in", .body) }
}

// Vital signs.
extension QuantityTypeNames {
    /// Basal Body Temperature.
    public static var basalBodyTemperature: Self { discrete("degC", us: "degF", .body, .cycle) }
    /// Blood Glucose.
    public static var bloodGlucose: Self {
        discrete("mg/dL", uk: "mmol<180.1558800000541>/L", .vitals, also: "bloodsugar", "glucose")
    }
    /// Blood Oxygen.
    public static var bloodOxygen: Self {
        discrete("%", .respiratory, .vitals, identifier: "OxygenSaturation", also: "o2", "oxygen", "spo2")
    }
    /// Body Temperature.
    public static var bodyTemperature: Self { discrete("degC", us: "degF", .vitals, also: "temperature") }
    /// Insulin Delivery.
    public static var insulinDelivery: Self { cumulative("IU") }
    /// Respiratory Rate.
    public static var respiratoryRate: Self {
        discrete("count/s", metric: "count/min", .respiratory, .vitals, also: "respiration")
    }
}

// The heart and circulation.
extension QuantityTypeNames {
    /// AFib History.
    public static var atrialFibrillationBurden: Self {
        discrete("%", style: .discreteTemporallyWeighted, .heart, title: "AFib History")
    }
    /// Diastolic Blood Pressure.
    public static var bloodPressureDiastolic: Self {
        discrete("mmHg", .heart, .vitals, title: "Diastolic Blood Pressure")
    }
    /// Systolic Blood Pressure.
    public static var bloodPressureSystolic: Self {
        discrete("mmHg", .heart, .vitals, title: "Systolic Blood Pressure")
    }
    /// Heart Rate.
    public static var heartRate: Self {
        discrete(
            "count/s", metric: "count/min", style: .discreteTemporallyWeighted, .heart, .vitals, also: "hr",
            "pulse")
    }
    /// Cardio Recovery.
    public static var heartRateRecoveryOneMinute: Self {
        discrete("count/min", .heart, title: "Cardio Recovery")
    }
    /// Heart Rate Variability.
    public static var heartRateVariabilitySDNN: Self {
        discrete("ms", .heart, title: "Heart Rate Variability", also: "hrv")
    }
    /// Peripheral Perfusion Index.
    public static var peripheralPerfusionIndex: Self { discrete("%", .heart) }
    /// Resting Heart Rate.
    public static var restingHeartRate: Self { discrete("count/min", .heart, also: "restingpulse", "rhr") }
    /// Cardio Fitness.
    public static var vo2Max: Self {
        discrete("mL/kg·min", .activity, .heart, title: "Cardio Fitness", identifier: "VO2Max", also: "vo2")
    }
    /// Walking Heart Rate Average.
    public static var walkingHeartRateAverage: Self { discrete("count/min", .heart) }
}

// Breathing.
extension QuantityTypeNames {
    /// Breathing Disturbances.
    public static var appleSleepingBreathingDisturbances: Self {
        discrete("count", .respiratory, .sleep, title: "Breathing Disturbances")
    }
    /// Forced Expiratory Volume, 1 sec.
    public static var forcedExpiratoryVolume1: Self {
        discrete("L", .respiratory, title: "Forced Expiratory Volume, 1 sec")
    }
    /// Forced Vital Capacity.
    public static var forcedVitalCapacity: Self { discrete("L", .respiratory) }
    /// Inhaler Usage.
    public static var inhalerUsage: Self { cumulative("count", .respiratory) }
    /// Peak Expiratory Flow Rate.
    public static var peakExpiratoryFlowRate: Self { discrete("L/min", .respiratory) }
}

// Hearing and noise.
extension QuantityTypeNames {
    /// Environmental Sound Levels.
    public static var environmentalAudioExposure: Self {
        discrete(
            "dBASPL", style: .discreteEquivalentContinuousLevel, .hearing,
            title: "Environmental Sound Levels", also: "noise")
    }
    /// Environmental Sound Reduction.
    public static var environmentalSoundReduction: Self {
        discrete("dBASPL", style: .discreteEquivalentContinuousLevel, .hearing)
    }
    /// Headphone Audio Levels.
    public static var headphoneAudioExposure: Self {
        discrete(
            "dBASPL", style: .discreteEquivalentContinuousLevel, .hearing, title: "Headphone Audio Levels")
    }
}

// A person's surroundings.
extension QuantityTypeNames {
    /// Time In Daylight.
    public static var timeInDaylight: Self { cumulative("min") }
    /// UV Index.
    public static var uvExposure: Self { discrete("count", title: "UV Index", identifier: "UVExposure") }
}
