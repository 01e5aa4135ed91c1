/// Sample types that belong together, as the Health app groups them.
///
/// A type may belong to several groups: heart rate is also one of the vitals. Types in no group (clinical records,
/// unknown types) can only be named individually.
public enum SampleTypeGroup: String, Sendable, CaseIterable {
    /// Movement, energy and workouts.
    case activity
    /// Measurements of the body.
    case body
    /// Cycle tracking and pregnancy.
    case cycle
    /// Sound levels and hearing tests.
    case hearing
    /// The heart, its rate and its rhythm.
    case heart
    /// Walking and mobility.
    case mobility
    /// Food and drink.
    case nutrition
    /// Breathing.
    case respiratory
    /// Sleep and what is measured during it.
    case sleep
    /// Symptoms.
    case symptoms
    /// Vital signs.
    case vitals

    /// The types of the group, in the order of ``AnySampleType/known``.
    public var types: [AnySampleType] { AnySampleType.known.filter { contains($0) } }

    private func contains(_ type: AnySampleType) -> Bool {
        switch self {
        case .nutrition where type.shortName.hasPrefix("dietary"): true
        case .activity where Self.activityPrefixes.contains { type.shortName.hasPrefix($0) }: true
        default: Self.members[self]?.contains(type.shortName) ?? false
        }
    }

    private static let activityPrefixes = [
        "crossCountrySkiing", "cycling", "distance", "paddleSports", "rowing", "running", "swimming",
        "workout",
    ]

    private static let members: [Self: Set<String>] = [
        .activity: [
            "activeEnergyBurned", "appleExerciseTime", "appleMoveTime", "appleStandHour", "appleStandTime",
            "basalEnergyBurned", "estimatedWorkoutEffortScore", "flightsClimbed", "physicalEffort",
            "pushCount", "stepCount", "underwaterDepth", "vO2Max", "waterTemperature",
        ],
        .body: [
            "appleSleepingWristTemperature", "basalBodyTemperature", "bodyFatPercentage", "bodyMass",
            "bodyMassIndex", "electrodermalActivity", "height", "leanBodyMass", "waistCircumference",
        ],
        .cycle: [
            "basalBodyTemperature", "bleedingAfterPregnancy", "bleedingDuringPregnancy",
            "cervicalMucusQuality", "contraceptive", "infrequentMenstrualCycles", "intermenstrualBleeding",
            "irregularMenstrualCycles", "lactation", "menstrualFlow", "ovulationTestResult",
            "persistentIntermenstrualBleeding", "pregnancy", "pregnancyTestResult",
            "progesteroneTestResult", "prolongedMenstrualPeriods", "sexualActivity",
        ],
        .hearing: [
            "audiogram", "audioExposureEvent", "environmentalAudioExposure", "environmentalSoundReduction",
            "headphoneAudioExposure", "headphoneAudioExposureEvent",
        ],
        .heart: [
            "atrialFibrillationBurden", "bloodPressure", "bloodPressureDiastolic", "bloodPressureSystolic",
            "electrocardiogram", "heartbeatSeries", "heartRate", "heartRateRecoveryOneMinute",
            "heartRateVariabilitySDNN", "highHeartRateEvent", "irregularHeartRhythmEvent",
            "lowCardioFitnessEvent", "lowHeartRateEvent", "peripheralPerfusionIndex", "restingHeartRate",
            "vO2Max", "walkingHeartRateAverage",
        ],
        .mobility: [
            "appleWalkingSteadiness", "appleWalkingSteadinessEvent", "numberOfTimesFallen",
            "sixMinuteWalkTestDistance", "stairAscentSpeed", "stairDescentSpeed",
            "walkingAsymmetryPercentage", "walkingDoubleSupportPercentage", "walkingSpeed",
            "walkingStepLength",
        ],
        .nutrition: ["bloodAlcoholContent", "food", "numberOfAlcoholicBeverages"],
        .respiratory: [
            "appleSleepingBreathingDisturbances", "forcedExpiratoryVolume1", "forcedVitalCapacity",
            "inhalerUsage", "oxygenSaturation", "peakExpiratoryFlowRate", "respiratoryRate",
            "sleepApneaEvent",
        ],
        .sleep: [
            "appleSleepingBreathingDisturbances", "appleSleepingWristTemperature", "sleepAnalysis",
            "sleepApneaEvent",
        ],
        .symptoms: [
            "abdominalCramps", "acne", "appetiteChanges", "bladderIncontinence", "bloating", "breastPain",
            "chestTightnessOrPain", "chills", "constipation", "coughing", "diarrhea", "dizziness", "drySkin",
            "fainting", "fatigue", "fever", "generalizedBodyAche", "hairLoss", "headache", "heartburn",
            "hotFlashes", "lossOfSmell", "lossOfTaste", "lowerBackPain", "memoryLapse", "moodChanges",
            "nausea", "nightSweats", "pelvicPain", "rapidPoundingOrFlutteringHeartbeat", "runnyNose",
            "shortnessOfBreath", "sinusCongestion", "skippedHeartbeat", "sleepChanges", "soreThroat",
            "vaginalDryness", "vomiting", "wheezing",
        ],
        .vitals: [
            "bloodGlucose", "bloodPressure", "bloodPressureDiastolic", "bloodPressureSystolic",
            "bodyTemperature", "heartRate", "oxygenSaturation", "respiratoryRate",
        ],
    ]
}
