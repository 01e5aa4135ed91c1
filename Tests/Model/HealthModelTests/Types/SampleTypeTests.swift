import HealthModel
import Testing

@Suite("Known sample types")
struct SampleTypeTests {
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
