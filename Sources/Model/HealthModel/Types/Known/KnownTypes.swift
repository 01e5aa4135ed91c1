extension AnySampleType {
    /// All known types: quantities, categories, then the rest.
    ///
    /// The list is created on first use.
    public static let known = KnownType.all.indices.map { AnySampleType(numbered: $0) }

    /// Returns the known type with this identifier.
    ///
    /// - Parameter identifier: HealthKit's full name, case-sensitive.
    /// - Returns: nil if the type is not known.
    public static func known(_ identifier: String) -> AnySampleType? { byIdentifier[identifier] }

    /// Returns the known type with this short name.
    ///
    /// - Parameter shortName: A name like ``shortName``, or of a static member, ignoring case: `vo2Max` finds `vO2Max`.
    /// - Returns: nil if no known type has the name.
    public static func known(shortName: String) -> AnySampleType? { byShortName[shortName.lowercased()] }

    /// Returns the known type with this static member, case-sensitive.
    static func known(member: String) -> AnySampleType? {
        KnownType.all.firstIndex { $0.member == member }.map { AnySampleType(numbered: $0) }
    }

    /// Returns the known type with this title.
    ///
    /// - Parameter title: The Health app's English name, ignoring case: `Active Energy`.
    /// - Returns: nil if no known type or more than one has the title.
    public static func known(title: String) -> AnySampleType? { byTitle[title.lowercased()] }

    private static let byIdentifier = Dictionary(uniqueKeysWithValues: known.map { ($0.identifier, $0) })

    /// The types by short name and by member; that of activity summaries is no type of samples in HealthKit.
    private static let byShortName = Dictionary(
        (KnownType.all + [.activitySummary]).flatMap { known in
            let type = AnySampleType(known: known)
            return [(type.shortName.lowercased(), type), (known.member.lowercased(), type)]
        }, uniquingKeysWith: { first, _ in first })

    private static let byTitle = Dictionary(grouping: known) { $0.title.lowercased() }
        .compactMapValues { $0.count == 1 ? $0[0] : nil }

    /// Returns the known type with an identifier or short name: `heartRate`.
    ///
    /// - Throws: ``HealthTypesError`` if no known type has the name. Use ``init(_:)`` for identifiers of future types.
    public static func named(_ name: String) throws(HealthTypesError) -> AnySampleType {
        guard let type = known(name) ?? known(shortName: name) else {
            throw HealthTypesError(.unknownSampleType, name)
        }
        return type
    }
}

extension SampleTypeName {
    /// Returns the short name of the type that an everyday word, such as `hrv` or `calories`, most likely means.
    ///
    /// A word may mean several types, so the name is only a suggestion.
    ///
    /// - Returns: nil for other words.
    public static func shortName(forEverydayWord word: String) -> String? {
        everydayWords[word.lowercased().filter { $0.isLetter || $0.isNumber }]
    }

    private static let everydayWords = Dictionary(
        uniqueKeysWithValues: (KnownType.all + [.activitySummary]).flatMap { known in
            known.everydayWords.map { ($0, AnySampleType(known: known).shortName) }
        })
}

extension KnownType {
    /// All known types in the order in which they are listed for people: quantities, categories, then the rest.
    static let all = quantities + categories + others

    private static let quantities: [KnownType] = [
        .stepCount, .distanceWalkingRunning, .runningGroundContactTime, .runningPower, .runningSpeed,
        .runningStrideLength, .runningVerticalOscillation, .distanceCycling, .pushCount, .distanceWheelchair,
        .swimmingStrokeCount, .distanceSwimming, .distanceDownhillSnowSports, .basalEnergyBurned,
        .activeEnergyBurned, .flightsClimbed, .appleExerciseTime, .appleMoveTime, .appleStandTime, .vo2Max,
        .height, .bodyMass, .bodyMassIndex, .leanBodyMass, .bodyFatPercentage, .waistCircumference,
        .appleSleepingWristTemperature, .basalBodyTemperature, .environmentalAudioExposure,
        .headphoneAudioExposure, .heartRate, .restingHeartRate, .walkingHeartRateAverage,
        .heartRateVariabilitySDNN, .heartRateRecoveryOneMinute, .atrialFibrillationBurden, .bloodOxygen,
        .bodyTemperature, .bloodPressureDiastolic, .bloodPressureSystolic, .respiratoryRate, .bloodGlucose,
        .electrodermalActivity, .forcedExpiratoryVolume1, .forcedVitalCapacity, .inhalerUsage,
        .insulinDelivery, .numberOfTimesFallen, .peakExpiratoryFlowRate, .peripheralPerfusionIndex,
        .dietaryBiotin, .dietaryCaffeine, .dietaryCalcium, .dietaryCarbohydrates, .dietaryChloride,
        .dietaryCholesterol, .dietaryChromium, .dietaryCopper, .dietaryEnergyConsumed,
        .dietaryFatMonounsaturated, .dietaryFatPolyunsaturated, .dietaryFatSaturated, .dietaryFatTotal,
        .dietaryFiber, .dietaryFolate, .dietaryIodine, .dietaryIron, .dietaryMagnesium, .dietaryManganese,
        .dietaryMolybdenum, .dietaryNiacin, .dietaryPantothenicAcid, .dietaryPhosphorus, .dietaryPotassium,
        .dietaryProtein, .dietaryRiboflavin, .dietarySelenium, .dietarySodium, .dietarySugar, .dietaryThiamin,
        .dietaryVitaminA, .dietaryVitaminB12, .dietaryVitaminB6, .dietaryVitaminC, .dietaryVitaminD,
        .dietaryVitaminE, .dietaryVitaminK, .dietaryWater, .dietaryZinc, .bloodAlcoholContent,
        .numberOfAlcoholicBeverages, .appleWalkingSteadiness, .sixMinuteWalkTestDistance, .walkingSpeed,
        .walkingStepLength, .walkingAsymmetryPercentage, .walkingDoubleSupportPercentage, .stairAscentSpeed,
        .stairDescentSpeed, .uvExposure, .underwaterDepth, .waterTemperature,
        .appleSleepingBreathingDisturbances, .crossCountrySkiingSpeed, .cyclingCadence,
        .cyclingFunctionalThresholdPower, .cyclingPower, .cyclingSpeed, .distanceCrossCountrySkiing,
        .distancePaddleSports, .distanceRowing, .distanceSkatingSports, .environmentalSoundReduction,
        .estimatedWorkoutEffortScore, .paddleSportsSpeed, .physicalEffort, .rowingSpeed, .timeInDaylight,
        .workoutEffortScore,
    ]

    private static let categories: [KnownType] = [
        .appleStandHour, .lowCardioFitnessEvent, .menstrualFlow, .intermenstrualBleeding,
        .infrequentMenstrualCycles, .irregularMenstrualCycles, .persistentIntermenstrualBleeding,
        .prolongedMenstrualPeriods, .cervicalMucusQuality, .ovulationTestResult, .progesteroneTestResult,
        .sexualActivity, .contraceptive, .pregnancy, .pregnancyTestResult, .lactation,
        .environmentalAudioExposureEvent, .headphoneAudioExposureEvent, .lowHeartRateEvent,
        .highHeartRateEvent, .irregularHeartRhythmEvent, .appleWalkingSteadinessEvent, .mindfulSession,
        .sleepAnalysis, .toothbrushingEvent, .handwashingEvent, .abdominalCramps, .bloating, .constipation,
        .diarrhea, .heartburn, .nausea, .vomiting, .appetiteChanges, .chills, .dizziness, .fainting, .fatigue,
        .fever, .generalizedBodyAche, .hotFlashes, .chestTightnessOrPain, .coughing,
        .rapidPoundingOrFlutteringHeartbeat, .shortnessOfBreath, .skippedHeartbeat, .wheezing, .lowerBackPain,
        .headache, .memoryLapse, .moodChanges, .lossOfSmell, .lossOfTaste, .runnyNose, .soreThroat,
        .sinusCongestion, .breastPain, .pelvicPain, .vaginalDryness, .bleedingDuringPregnancy,
        .bleedingAfterPregnancy, .acne, .drySkin, .hairLoss, .nightSweats, .sleepChanges, .sleepApneaEvent,
        .bladderIncontinence,
    ]

    private static let others: [KnownType] = [
        .bloodPressure, .food, .allergyRecord, .clinicalNoteRecord, .conditionRecord, .immunizationRecord,
        .labResultRecord, .medicationRecord, .procedureRecord, .vitalSignRecord, .coverageRecord,
        .activityMoveMode, .biologicalSex, .bloodType, .dateOfBirth, .fitzpatrickSkinType, .wheelchairUse,
        .electrocardiogram, .audiogram, .workout, .visionPrescription, .stateOfMind, .heartbeatSeries,
        .workoutRoute, .gad7, .phq9,
    ]
}
