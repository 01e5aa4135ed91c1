// Notifications, sleep and habits.
extension CategoryTypeNames {
    /// Stand Hours.
    public static var appleStandHour: Self {
        category(.activity, values: .appleStandHour, title: "Stand Hours")
    }
    /// Walking Steadiness Notifications.
    public static var appleWalkingSteadinessEvent: Self {
        category(.mobility, values: .appleWalkingSteadinessEvent, title: "Walking Steadiness Notifications")
    }
    /// Noise Notifications.
    public static var environmentalAudioExposureEvent: Self {
        category(
            .hearing, values: .environmentalAudioExposureEvent, title: "Noise Notifications",
            identifier: "AudioExposureEvent")
    }
    /// Handwashing.
    public static var handwashingEvent: Self { category(title: "Handwashing") }
    /// Headphone Notifications.
    public static var headphoneAudioExposureEvent: Self {
        category(.hearing, values: .headphoneAudioExposureEvent, title: "Headphone Notifications")
    }
    /// High Heart Rate Notifications.
    public static var highHeartRateEvent: Self { category(.heart, title: "High Heart Rate Notifications") }
    /// Irregular Rhythm Notifications.
    public static var irregularHeartRhythmEvent: Self {
        category(.heart, title: "Irregular Rhythm Notifications")
    }
    /// Cardio Fitness Notifications.
    public static var lowCardioFitnessEvent: Self {
        category(.heart, values: .lowCardioFitnessEvent, title: "Cardio Fitness Notifications")
    }
    /// Low Heart Rate Notifications.
    public static var lowHeartRateEvent: Self { category(.heart, title: "Low Heart Rate Notifications") }
    /// Mindful Minutes.
    public static var mindfulSession: Self { category(title: "Mindful Minutes") }
    /// Sleep.
    public static var sleepAnalysis: Self { category(.sleep, values: .sleepAnalysis, title: "Sleep") }
    /// Sleep Apnea Notifications.
    public static var sleepApneaEvent: Self {
        category(.respiratory, .sleep, title: "Sleep Apnea Notifications")
    }
    /// Toothbrushing.
    public static var toothbrushingEvent: Self { category(title: "Toothbrushing") }
}
