// Quantities of hearing and noise, under the titles of the Health app.
extension QuantityTypeNames {
    /// Environmental Sound Levels.
    public static var environmentalAudioExposure: Self {
        Self(known: "HKQuantityTypeIdentifierEnvironmentalAudioExposure")
    }
    /// Environmental Sound Reduction.
    public static var environmentalSoundReduction: Self {
        Self(known: "HKQuantityTypeIdentifierEnvironmentalSoundReduction")
    }
    /// Headphone Audio Levels.
    public static var headphoneAudioExposure: Self {
        Self(known: "HKQuantityTypeIdentifierHeadphoneAudioExposure")
    }
}
