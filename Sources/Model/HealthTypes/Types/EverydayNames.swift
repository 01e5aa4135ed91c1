extension SampleTypeName {
    /// Returns the short name of the type that an everyday word, such as `hrv` or `calories`, most likely means.
    ///
    /// A word may mean several types, so the name is only a suggestion.
    ///
    /// - Returns: nil for other words.
    public static func shortName(forEverydayWord word: String) -> String? {
        everydayWords[word.lowercased().filter { $0.isLetter || $0.isNumber }]
    }

    private static let everydayWords = [
        "bloodsugar": "bloodGlucose", "bmi": "bodyMassIndex", "bodyfat": "bodyFatPercentage",
        "bodyweight": "bodyMass", "bp": "bloodPressure", "caffeine": "dietaryCaffeine",
        "calories": "activeEnergyBurned", "cycling": "distanceCycling", "distance": "distanceWalkingRunning",
        "ecg": "electrocardiogram", "energy": "activeEnergyBurned", "exercise": "appleExerciseTime",
        "floors": "flightsClimbed", "glucose": "bloodGlucose", "hr": "heartRate",
        "hrv": "heartRateVariabilitySDNN", "mass": "bodyMass", "mood": "stateOfMind",
        "noise": "environmentalAudioExposure", "o2": "oxygenSaturation", "oxygen": "oxygenSaturation",
        "period": "menstrualFlow", "periods": "menstrualFlow", "pulse": "heartRate",
        "respiration": "respiratoryRate", "restingpulse": "restingHeartRate", "rhr": "restingHeartRate",
        "rings": "activitySummary", "running": "distanceWalkingRunning", "spo2": "oxygenSaturation",
        "stairs": "flightsClimbed", "stand": "appleStandTime", "swimming": "distanceSwimming",
        "temperature": "bodyTemperature", "vo2": "vO2Max", "walking": "distanceWalkingRunning",
        "water": "dietaryWater",
    ]
}
