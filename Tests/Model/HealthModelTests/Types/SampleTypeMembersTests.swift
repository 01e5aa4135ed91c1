import HealthModel
import Testing

// All members, of types with and without the type of their samples.

private func quantities<Names: QuantityTypeNames>(_: Names.Type) -> [Names] {
    [
        .activeEnergyBurned, .appleExerciseTime, .appleMoveTime, .appleSleepingBreathingDisturbances,
        .appleSleepingWristTemperature, .appleStandTime, .appleWalkingSteadiness, .atrialFibrillationBurden,
        .basalBodyTemperature, .basalEnergyBurned, .bloodAlcoholContent, .bloodGlucose, .bloodOxygen,
        .bloodPressureDiastolic, .bloodPressureSystolic, .bodyFatPercentage, .bodyMass, .bodyMassIndex,
        .bodyTemperature, .crossCountrySkiingSpeed, .cyclingCadence, .cyclingFunctionalThresholdPower,
        .cyclingPower, .cyclingSpeed, .dietaryBiotin, .dietaryCaffeine, .dietaryCalcium,
        .dietaryCarbohydrates, .dietaryChloride, .dietaryCholesterol, .dietaryChromium, .dietaryCopper,
        .dietaryEnergyConsumed, .dietaryFatMonounsaturated, .dietaryFatPolyunsaturated,
        .dietaryFatSaturated, .dietaryFatTotal, .dietaryFiber, .dietaryFolate, .dietaryIodine, .dietaryIron,
        .dietaryMagnesium, .dietaryManganese, .dietaryMolybdenum, .dietaryNiacin, .dietaryPantothenicAcid,
        .dietaryPhosphorus, .dietaryPotassium, .dietaryProtein, .dietaryRiboflavin, .dietarySelenium,
        .dietarySodium, .dietarySugar, .dietaryThiamin, .dietaryVitaminA, .dietaryVitaminB12,
        .dietaryVitaminB6, .dietaryVitaminC, .dietaryVitaminD, .dietaryVitaminE, .dietaryVitaminK,
        .dietaryWater, .dietaryZinc, .distanceCrossCountrySkiing, .distanceCycling,
        .distanceDownhillSnowSports, .distancePaddleSports, .distanceRowing, .distanceSkatingSports,
        .distanceSwimming, .distanceWalkingRunning, .distanceWheelchair, .electrodermalActivity,
        .environmentalAudioExposure, .environmentalSoundReduction, .estimatedWorkoutEffortScore,
        .flightsClimbed, .forcedExpiratoryVolume1, .forcedVitalCapacity, .headphoneAudioExposure,
        .heartRate, .heartRateRecoveryOneMinute, .heartRateVariabilitySDNN, .height, .inhalerUsage,
        .insulinDelivery, .leanBodyMass, .numberOfAlcoholicBeverages, .numberOfTimesFallen,
        .paddleSportsSpeed, .peakExpiratoryFlowRate, .peripheralPerfusionIndex, .physicalEffort, .pushCount,
        .respiratoryRate, .restingHeartRate, .rowingSpeed, .runningGroundContactTime, .runningPower,
        .runningSpeed, .runningStrideLength, .runningVerticalOscillation, .sixMinuteWalkTestDistance,
        .stairAscentSpeed, .stairDescentSpeed, .stepCount, .swimmingStrokeCount, .timeInDaylight,
        .underwaterDepth, .uvExposure, .vo2Max, .waistCircumference, .walkingAsymmetryPercentage,
        .walkingDoubleSupportPercentage, .walkingHeartRateAverage, .walkingSpeed, .walkingStepLength,
        .waterTemperature, .workoutEffortScore,
    ]
}

private func categories<Names: CategoryTypeNames>(_: Names.Type) -> [Names] {
    [
        .abdominalCramps, .acne, .appetiteChanges, .appleStandHour, .appleWalkingSteadinessEvent,
        .bladderIncontinence, .bleedingAfterPregnancy, .bleedingDuringPregnancy, .bloating, .breastPain,
        .cervicalMucusQuality, .chestTightnessOrPain, .chills, .constipation, .contraceptive, .coughing,
        .diarrhea, .dizziness, .drySkin, .environmentalAudioExposureEvent, .fainting, .fatigue, .fever,
        .generalizedBodyAche, .hairLoss, .handwashingEvent, .headache, .headphoneAudioExposureEvent,
        .heartburn, .highHeartRateEvent, .hotFlashes, .infrequentMenstrualCycles, .intermenstrualBleeding,
        .irregularHeartRhythmEvent, .irregularMenstrualCycles, .lactation, .lossOfSmell, .lossOfTaste,
        .lowCardioFitnessEvent, .lowerBackPain, .lowHeartRateEvent, .memoryLapse, .menstrualFlow,
        .mindfulSession, .moodChanges, .nausea, .nightSweats, .ovulationTestResult, .pelvicPain,
        .persistentIntermenstrualBleeding, .pregnancy, .pregnancyTestResult, .progesteroneTestResult,
        .prolongedMenstrualPeriods, .rapidPoundingOrFlutteringHeartbeat, .runnyNose, .sexualActivity,
        .shortnessOfBreath, .sinusCongestion, .skippedHeartbeat, .sleepAnalysis, .sleepApneaEvent,
        .sleepChanges, .soreThroat, .toothbrushingEvent, .vaginalDryness, .vomiting, .wheezing,
    ]
}

private func correlations<Names: CorrelationTypeNames>(_: Names.Type) -> [Names] {
    [
        .bloodPressure, .food,
    ]
}

private func clinicalRecords<Names: ClinicalTypeNames>(_: Names.Type) -> [Names] {
    [
        .allergyRecord, .clinicalNoteRecord, .conditionRecord, .coverageRecord, .immunizationRecord,
        .labResultRecord, .medicationRecord, .procedureRecord, .vitalSignRecord,
    ]
}

private func characteristics<Names: CharacteristicTypeNames>(_: Names.Type) -> [Names] {
    [
        .activityMoveMode, .biologicalSex, .bloodType, .dateOfBirth, .fitzpatrickSkinType, .wheelchairUse,
    ]
}

@Suite("Members of sample types")
struct SampleTypeMembersTests {
    /// Checks that members are all known types of a kind, each once.
    private func check(_ members: [AnySampleType], _ kind: AnySampleType.Kind) {
        for type in members { #expect(type.isKnown && type.kind == kind, "\(type)") }
        #expect(Set(members).count == members.count)
        let missing = Set(AnySampleType.known.filter { $0.kind == kind }).subtracting(members)
        #expect(missing.map(\.identifier).sorted() == [])
    }

    @Test("lead to all quantities that are known")
    func quantityMembers() {
        let members = quantities(AnySampleType.self)
        check(members, .quantity)
        #expect(quantities(SampleType<QuantitySample>.self).map(\.erased) == members)
    }

    @Test("lead to all categories that are known")
    func categoryMembers() {
        let members = categories(AnySampleType.self)
        check(members, .category)
        #expect(categories(SampleType<CategorySample>.self).map(\.erased) == members)
    }

    @Test("lead to all correlations and clinical records that are known")
    func correlationMembers() {
        let correlated = correlations(AnySampleType.self)
        check(correlated, .correlation)
        #expect(correlations(SampleType<CorrelationSample>.self).map(\.erased) == correlated)
        let clinical = clinicalRecords(AnySampleType.self)
        check(clinical, .clinical)
        #expect(clinicalRecords(SampleType<ClinicalRecord>.self).map(\.erased) == clinical)
    }

    @Test("lead to all characteristics and special types that are known")
    func otherMembers() {
        check(characteristics(AnySampleType.self), .characteristic)
        check(
            [
                .audiogram, .electrocardiogram, .gad7, .heartbeatSeries, .phq9, .stateOfMind,
                .visionPrescription, .workout, .workoutRoute,
            ], .other)
        // An export has the rings of each day, though HealthKit has no type of samples for them.
        #expect(!AnySampleType.activitySummary.isKnown && AnySampleType.activitySummary.kind == .other)
    }

    @Test("are the same with the type of their samples and without")
    func erased() {
        #expect(SampleType<QuantitySample>.heartRate.erased == AnySampleType.heartRate)
        #expect(SampleType<CategorySample>.sleepAnalysis.erased == AnySampleType.sleepAnalysis)
        #expect(SampleType<CorrelationSample>.bloodPressure.erased == AnySampleType.bloodPressure)
        #expect(SampleType<Workout>.workout.erased == AnySampleType.workout)
        #expect(SampleType<AudiogramSample>.audiogram.erased == AnySampleType.audiogram)
        #expect(SampleType<HeartbeatSeries>.heartbeatSeries.erased == AnySampleType.heartbeatSeries)
        let prescription = SampleType<VisionPrescription>.visionPrescription
        #expect(prescription.erased == AnySampleType.visionPrescription)
        #expect(SampleType<UntypedRecord>.stateOfMind.erased == AnySampleType.stateOfMind)
        #expect(SampleType<UntypedRecord>.gad7.erased == AnySampleType.gad7)
        #expect(SampleType<UntypedRecord>.phq9.erased == AnySampleType.phq9)
        #expect(SampleType<ActivitySummary>.activitySummary.erased == AnySampleType.activitySummary)
        let observations = SampleType<ClinicalRecord>.clinicalRecords(of: "Observation")
        #expect(observations.identifier == "ClinicalRecord/Observation")
    }

    @Test("say what the type without them says")
    func facts() {
        for member in quantities(SampleType<QuantitySample>.self) {
            let type = member.erased
            #expect(member.identifier == type.identifier && member.title == type.title)
            #expect(member.canonicalUnit == type.canonicalUnit && member.canonicalUnit != nil)
            #expect(member.aggregationStyle == type.aggregationStyle && member.aggregationStyle != nil)
            #expect(member.description == type.identifier)
        }
    }
}
