// Notifications, sleep and habits, under the titles of the Health app.
extension CategoryTypeNames {
    /// Stand Hours.
    public static var appleStandHour: Self { Self(known: "HKCategoryTypeIdentifierAppleStandHour") }
    /// Walking Steadiness Notifications.
    public static var appleWalkingSteadinessEvent: Self {
        Self(known: "HKCategoryTypeIdentifierAppleWalkingSteadinessEvent")
    }
    /// Noise Notifications.
    public static var environmentalAudioExposureEvent: Self {
        Self(known: "HKCategoryTypeIdentifierAudioExposureEvent")
    }
    /// Handwashing.
    public static var handwashingEvent: Self { Self(known: "HKCategoryTypeIdentifierHandwashingEvent") }
    /// Headphone Notifications.
    public static var headphoneAudioExposureEvent: Self {
        Self(known: "HKCategoryTypeIdentifierHeadphoneAudioExposureEvent")
    }
    /// High Heart Rate Notifications.
    public static var highHeartRateEvent: Self { Self(known: "HKCategoryTypeIdentifierHighHeartRateEvent") }
    /// Irregular Rhythm Notifications.
    public static var irregularHeartRhythmEvent: Self {
        Self(known: "HKCategoryTypeIdentifierIrregularHeartRhythmEvent")
    }
    /// Cardio Fitness Notifications.
    public static var lowCardioFitnessEvent: Self {
        Self(known: "HKCategoryTypeIdentifierLowCardioFitnessEvent")
    }
    /// Low Heart Rate Notifications.
    public static var lowHeartRateEvent: Self { Self(known: "HKCategoryTypeIdentifierLowHeartRateEvent") }
    /// Mindful Minutes.
    public static var mindfulSession: Self { Self(known: "HKCategoryTypeIdentifierMindfulSession") }
    /// Sleep.
    public static var sleepAnalysis: Self { Self(known: "HKCategoryTypeIdentifierSleepAnalysis") }
    /// Sleep Apnea Notifications.
    public static var sleepApneaEvent: Self { Self(known: "HKCategoryTypeIdentifierSleepApneaEvent") }
    /// Toothbrushing.
    public static var toothbrushingEvent: Self { Self(known: "HKCategoryTypeIdentifierToothbrushingEvent") }
}
