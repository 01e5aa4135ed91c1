import HealthModel
import Testing

@Suite("Known sample types")
struct SampleTypeTests {
    /// Types of iOS 18.1, by kind and aggregation; later ones need not be added.
    private static let atLeast: [(AnySampleType.Kind, AggregationStyle?, String)] = [
        (
            .quantity, .cumulative,
            """
            activeEnergyBurned appleExerciseTime appleMoveTime appleStandTime basalEnergyBurned
            dietaryBiotin dietaryCaffeine dietaryCalcium dietaryCarbohydrates dietaryChloride
            dietaryCholesterol dietaryChromium dietaryCopper dietaryEnergyConsumed dietaryFatMonounsaturated
            dietaryFatPolyunsaturated dietaryFatSaturated dietaryFatTotal dietaryFiber dietaryFolate
            dietaryIodine dietaryIron dietaryMagnesium dietaryManganese dietaryMolybdenum dietaryNiacin
            dietaryPantothenicAcid dietaryPhosphorus dietaryPotassium dietaryProtein dietaryRiboflavin
            dietarySelenium dietarySodium dietarySugar dietaryThiamin dietaryVitaminA dietaryVitaminB12
            dietaryVitaminB6 dietaryVitaminC dietaryVitaminD dietaryVitaminE dietaryVitaminK dietaryWater
            dietaryZinc distanceCrossCountrySkiing distanceCycling distanceDownhillSnowSports
            distancePaddleSports distanceRowing distanceSkatingSports distanceSwimming
            distanceWalkingRunning distanceWheelchair flightsClimbed inhalerUsage insulinDelivery
            numberOfAlcoholicBeverages numberOfTimesFallen pushCount stepCount swimmingStrokeCount
            timeInDaylight
            """
        ),
        (
            .quantity, .discreteArithmetic,
            """
            appleSleepingBreathingDisturbances appleSleepingWristTemperature appleWalkingSteadiness
            basalBodyTemperature bloodAlcoholContent bloodGlucose bloodPressureDiastolic
            bloodPressureSystolic bodyFatPercentage bodyMass bodyMassIndex bodyTemperature
            crossCountrySkiingSpeed cyclingCadence cyclingFunctionalThresholdPower cyclingPower cyclingSpeed
            electrodermalActivity estimatedWorkoutEffortScore forcedExpiratoryVolume1 forcedVitalCapacity
            heartRateRecoveryOneMinute heartRateVariabilitySDNN height leanBodyMass oxygenSaturation
            paddleSportsSpeed peakExpiratoryFlowRate peripheralPerfusionIndex physicalEffort respiratoryRate
            restingHeartRate rowingSpeed runningGroundContactTime runningPower runningSpeed
            runningStrideLength runningVerticalOscillation sixMinuteWalkTestDistance stairAscentSpeed
            stairDescentSpeed underwaterDepth uVExposure vO2Max waistCircumference
            walkingAsymmetryPercentage walkingDoubleSupportPercentage walkingHeartRateAverage walkingSpeed
            walkingStepLength waterTemperature workoutEffortScore
            """
        ),
        (
            .quantity, .discreteEquivalentContinuousLevel,
            """
            environmentalAudioExposure environmentalSoundReduction headphoneAudioExposure
            """
        ),
        (
            .quantity, .discreteTemporallyWeighted,
            """
            atrialFibrillationBurden heartRate
            """
        ),
        (
            .category, nil,
            """
            abdominalCramps acne appetiteChanges appleStandHour appleWalkingSteadinessEvent
            audioExposureEvent bladderIncontinence bleedingAfterPregnancy bleedingDuringPregnancy bloating
            breastPain cervicalMucusQuality chestTightnessOrPain chills constipation contraceptive coughing
            diarrhea dizziness drySkin fainting fatigue fever generalizedBodyAche hairLoss handwashingEvent
            headache headphoneAudioExposureEvent heartburn highHeartRateEvent hotFlashes
            infrequentMenstrualCycles intermenstrualBleeding irregularHeartRhythmEvent
            irregularMenstrualCycles lactation lossOfSmell lossOfTaste lowCardioFitnessEvent lowerBackPain
            lowHeartRateEvent memoryLapse menstrualFlow mindfulSession moodChanges nausea nightSweats
            ovulationTestResult pelvicPain persistentIntermenstrualBleeding pregnancy pregnancyTestResult
            progesteroneTestResult prolongedMenstrualPeriods rapidPoundingOrFlutteringHeartbeat runnyNose
            sexualActivity shortnessOfBreath sinusCongestion skippedHeartbeat sleepAnalysis sleepApneaEvent
            sleepChanges soreThroat toothbrushingEvent vaginalDryness vomiting wheezing
            """
        ),
        (
            .correlation, nil,
            """
            bloodPressure food
            """
        ),
        (
            .clinical, nil,
            """
            allergyRecord clinicalNoteRecord conditionRecord coverageRecord immunizationRecord
            labResultRecord medicationRecord procedureRecord vitalSignRecord
            """
        ),
        (
            .characteristic, nil,
            """
            activityMoveMode biologicalSex bloodType dateOfBirth fitzpatrickSkinType wheelchairUse
            """
        ),
        (
            .other, nil,
            """
            audiogram electrocardiogram gAD7 heartbeatSeries pHQ9 stateOfMind visionPrescription workout
            workoutRoute
            """
        ),
    ]

    @Test("no type was lost, nor counts as another kind", arguments: atLeast)
    func nothingLost(kind: AnySampleType.Kind, style: AggregationStyle?, names: String) {
        for name in names.split(whereSeparator: \.isWhitespace).map(String.init) {
            let type = AnySampleType.known(shortName: name)
            #expect(
                type?.kind == kind && type?.aggregationStyle == style && type?.shortName == name, "\(name)")
        }
    }

    @Test("a type is found by its identifier, with all that is known of it")
    func heartRate() throws {
        let type = try #require(AnySampleType.known("HKQuantityTypeIdentifierHeartRate"))
        #expect(type.kind == .quantity)
        #expect(type.title == "Heart Rate")
        #expect(type.canonicalUnit == .count / .second())
        #expect(type.preferredUnit(in: .us) == .count / .minute)
        #expect(type.aggregationStyle == .discreteTemporallyWeighted)
        #expect(type.shortName == "heartRate")
    }

    @Test(
        "what is no identifier is not found",
        arguments: [
            "", "HeartRate", "heartRate", "HKQuantityTypeIdentifierheartrate", "HKQuantityTypeIdentifier",
        ])
    func unknown(identifier: String) {
        #expect(AnySampleType.known(identifier) == nil)
    }

    @Test("identifiers are distinct, begin with HK and lead back to their types")
    func identifiers() {
        #expect(Set(AnySampleType.known.map(\.identifier)).count == AnySampleType.known.count)
        for type in AnySampleType.known {
            #expect(type.identifier.hasPrefix("HK"))
            #expect(AnySampleType.known(type.identifier) == type)
        }
    }

    @Test("quantities, and only they, have a unit and an aggregation")
    func units() {
        for type in AnySampleType.known {
            #expect((type.canonicalUnit != nil) == (type.kind == .quantity))
            #expect((type.aggregationStyle != nil) == (type.kind == .quantity))
        }
    }

    @Test("every title is text without space around it")
    func titles() {
        for type in AnySampleType.known {
            #expect(!type.title.isEmpty && type.title.first != " " && type.title.last != " ")
            #expect(AnySampleType.title(of: type.identifier) == type.title)
        }
    }

    @Test(
        "the title of an unknown type is made of its identifier's words",
        arguments: [
            ("HKDataTypeSleepDurationGoal", "Sleep Duration Goal"),
            ("HKQuantityTypeIdentifierNikeFuel", "Nike Fuel"),
            ("HKQuantityTypeIdentifierVO2Peak", "VO2 Peak"),
            ("HKQuantityTypeIdentifierUVDose", "UV Dose"),
            ("HKQuantityTypeIdentifierRestingSDNN", "Resting SDNN"),
            ("HKQuantityTypeIdentifierVitaminB3", "Vitamin B3"),
            ("HKActivitySummaryTypeIdentifier", "Activity Summary"),
            ("HKWorkoutActivityTypeTaiChi", "Tai Chi"),
            ("HKMedicationDoseEvent", "Medication Dose Event"),
        ])
    func wordsOfUnknown(identifier: String, title: String) {
        #expect(AnySampleType.title(of: identifier) == title)
    }

    @Test(
        "what is no identifier of HealthKit's is its own title and short name",
        arguments: ["", "HK", "HKey", "Observation", "com.example.HKSteps", "HK herz", "HKÄther"])
    func foreign(identifier: String) {
        #expect(AnySampleType.title(of: identifier) == identifier)
        #expect(AnySampleType.shortName(of: identifier) == identifier)
    }

    @Test(
        "a short name is the identifier without prefix, its first letter in lower case",
        arguments: [
            ("HKQuantityTypeIdentifierStepCount", "stepCount"),
            ("HKQuantityTypeIdentifierVO2Max", "vO2Max"),
            ("HKCategoryTypeIdentifierSleepAnalysis", "sleepAnalysis"),
            ("HKCharacteristicTypeIdentifierFitzpatrickSkinType", "fitzpatrickSkinType"),
            ("HKScoredAssessmentTypeIdentifierPHQ9", "pHQ9"),
            ("HKDataTypeStateOfMind", "stateOfMind"),
            ("HKWorkoutTypeIdentifier", "workout"),
            ("HKDataTypeSleepDurationGoal", "sleepDurationGoal"),
        ])
    func shortNames(identifier: String, shortName: String) {
        #expect(AnySampleType.shortName(of: identifier) == shortName)
    }

    @Test("short names are distinct whatever their case, and lead back to their types")
    func shortNamesAreDistinct() {
        #expect(Set(AnySampleType.known.map { $0.shortName.lowercased() }).count == AnySampleType.known.count)
        for type in AnySampleType.known {
            #expect(AnySampleType.known(shortName: type.shortName) == type)
            #expect(SampleTypeName(parsing: type.shortName) == .type(type))
            // A name in capitals is looked up in another way.
            #expect(SampleTypeName(parsing: type.shortName.uppercased()) == .type(type))
            #expect(SampleTypeName(parsing: type.identifier.lowercased()) == .type(type))
        }
        #expect(AnySampleType.known(shortName: "vo2max")?.identifier == "HKQuantityTypeIdentifierVO2Max")
        #expect(AnySampleType.known(shortName: "") == nil)
    }

    @Test("have units for people of each region, which measure the same")
    func regionalUnits() throws {
        for type in AnySampleType.known where type.kind == .quantity {
            let canonical = try #require(type.canonicalUnit)
            for system in MeasurementSystem.allCases {
                let unit = try #require(type.preferredUnit(in: system))
                #expect(unit.isCompatible(with: canonical), "\(type) \(system)")
            }
        }
        #expect(AnySampleType.height.preferredUnit(in: .us) == .foot)
        #expect(AnySampleType.bodyMass.preferredUnit(in: .uk) == .pound)
        #expect(AnySampleType.bodyTemperature.preferredUnit(in: .uk) == .degreeCelsius)
        #expect(
            AnySampleType.headphoneAudioExposure.preferredUnit(in: .metric)
                == .decibelAWeightedSoundPressureLevel)
    }
}
