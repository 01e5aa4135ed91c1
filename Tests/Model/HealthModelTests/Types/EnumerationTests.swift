import HealthModel
import Testing

@Suite("Enumerations")
struct EnumerationTests {
    /// The names in exports of all versions, with the numbers in Apple's `HKCategoryValues.h` of iOS 18.
    static let known: [(CategoryValues, [String: Int])] = [
        (
            .notApplicable,
            [
                "HKCategoryValueNotApplicable": 0
            ]
        ),
        (
            .sleepAnalysis,
            [
                "HKCategoryValueSleepAnalysisInBed": 0,
                "HKCategoryValueSleepAnalysisAsleepUnspecified": 1,
                "HKCategoryValueSleepAnalysisAsleep": 1,
                "HKCategoryValueSleepAnalysisAwake": 2,
                "HKCategoryValueSleepAnalysisAsleepCore": 3,
                "HKCategoryValueSleepAnalysisAsleepDeep": 4,
                "HKCategoryValueSleepAnalysisAsleepREM": 5,
            ]
        ),
        (
            .appleStandHour,
            [
                "HKCategoryValueAppleStandHourStood": 0,
                "HKCategoryValueAppleStandHourIdle": 1,
            ]
        ),
        (
            .severity,
            [
                "HKCategoryValueSeverityUnspecified": 0,
                "HKCategoryValueSeverityNotPresent": 1,
                "HKCategoryValueSeverityMild": 2,
                "HKCategoryValueSeverityModerate": 3,
                "HKCategoryValueSeveritySevere": 4,
            ]
        ),
        (
            .presence,
            [
                "HKCategoryValuePresencePresent": 0,
                "HKCategoryValuePresenceNotPresent": 1,
            ]
        ),
        (
            .appetiteChanges,
            [
                "HKCategoryValueAppetiteChangesUnspecified": 0,
                "HKCategoryValueAppetiteChangesNoChange": 1,
                "HKCategoryValueAppetiteChangesDecreased": 2,
                "HKCategoryValueAppetiteChangesIncreased": 3,
            ]
        ),
        (
            .vaginalBleeding,
            [
                "HKCategoryValueVaginalBleedingUnspecified": 1,
                "HKCategoryValueVaginalBleedingLight": 2,
                "HKCategoryValueVaginalBleedingMedium": 3,
                "HKCategoryValueVaginalBleedingHeavy": 4,
                "HKCategoryValueVaginalBleedingNone": 5,
            ]
        ),
        (
            .menstrualFlow,
            [
                "HKCategoryValueMenstrualFlowUnspecified": 1,
                "HKCategoryValueMenstrualFlowLight": 2,
                "HKCategoryValueMenstrualFlowMedium": 3,
                "HKCategoryValueMenstrualFlowHeavy": 4,
                "HKCategoryValueMenstrualFlowNone": 5,
            ]
        ),
        (
            .cervicalMucusQuality,
            [
                "HKCategoryValueCervicalMucusQualityDry": 1,
                "HKCategoryValueCervicalMucusQualitySticky": 2,
                "HKCategoryValueCervicalMucusQualityCreamy": 3,
                "HKCategoryValueCervicalMucusQualityWatery": 4,
                "HKCategoryValueCervicalMucusQualityEggWhite": 5,
            ]
        ),
        (
            .ovulationTestResult,
            [
                "HKCategoryValueOvulationTestResultNegative": 1,
                "HKCategoryValueOvulationTestResultLuteinizingHormoneSurge": 2,
                "HKCategoryValueOvulationTestResultPositive": 2,
                "HKCategoryValueOvulationTestResultIndeterminate": 3,
                "HKCategoryValueOvulationTestResultEstrogenSurge": 4,
            ]
        ),
        (
            .contraceptive,
            [
                "HKCategoryValueContraceptiveUnspecified": 1,
                "HKCategoryValueContraceptiveImplant": 2,
                "HKCategoryValueContraceptiveInjection": 3,
                "HKCategoryValueContraceptiveIntrauterineDevice": 4,
                "HKCategoryValueContraceptiveIntravaginalRing": 5,
                "HKCategoryValueContraceptiveOral": 6,
                "HKCategoryValueContraceptivePatch": 7,
            ]
        ),
        (
            .pregnancyTestResult,
            [
                "HKCategoryValuePregnancyTestResultNegative": 1,
                "HKCategoryValuePregnancyTestResultPositive": 2,
                "HKCategoryValuePregnancyTestResultIndeterminate": 3,
            ]
        ),
        (
            .progesteroneTestResult,
            [
                "HKCategoryValueProgesteroneTestResultNegative": 1,
                "HKCategoryValueProgesteroneTestResultPositive": 2,
                "HKCategoryValueProgesteroneTestResultIndeterminate": 3,
            ]
        ),
        (
            .environmentalAudioExposureEvent,
            [
                "HKCategoryValueEnvironmentalAudioExposureEventMomentaryLimit": 1,
                "HKCategoryValueAudioExposureEventLoudEnvironment": 1,
            ]
        ),
        (
            .headphoneAudioExposureEvent,
            [
                "HKCategoryValueHeadphoneAudioExposureEventSevenDayLimit": 1
            ]
        ),
        (
            .lowCardioFitnessEvent,
            [
                "HKCategoryValueLowCardioFitnessEventLowFitness": 1
            ]
        ),
        (
            .appleWalkingSteadinessEvent,
            [
                "HKCategoryValueAppleWalkingSteadinessEventInitialLow": 1,
                "HKCategoryValueAppleWalkingSteadinessEventInitialVeryLow": 2,
                "HKCategoryValueAppleWalkingSteadinessEventRepeatLow": 3,
                "HKCategoryValueAppleWalkingSteadinessEventRepeatVeryLow": 4,
            ]
        ),
    ]

    @Test("have Apple's numbers under all names that exports have", arguments: known)
    func numbers(values: CategoryValues, names: [String: Int]) throws {
        for (name, number) in names {
            #expect(values.rawValue(named: name) == number, "\(name)")
            #expect(values.member(named: name)?.rawValue == number, "\(name)")
        }
        #expect(Set(values.members.map(\.rawValue)) == Set(names.values))
        #expect(values.members.allSatisfy { names[$0.name] == $0.rawValue })
    }

    @Test("are in the order of their numbers, each with a name and a title of its own", arguments: known)
    func members(values: CategoryValues, names: [String: Int]) {
        let members = values.members
        #expect(zip(members, members.dropFirst()).allSatisfy { $0.rawValue < $1.rawValue })
        #expect(Set(members.map(\.name)).count == members.count)
        #expect(Set(members.map(\.title)).count == members.count)
        for member in members {
            #expect(values.member(named: member.name) == member)
            #expect(member.name.hasPrefix(values.typeName) && member.name != values.typeName)
            #expect(!member.title.isEmpty && member.title.first != " " && member.title.last != " ")
            #expect(!member.title.contains("  "))
        }
        for name in ["", values.typeName, values.typeName + "Other", "0", "1"] + members.map(\.title) {
            #expect(values.rawValue(named: name) == nil && values.member(named: name) == nil, "\(name)")
        }
    }

    /// Checks that the values of an enumeration are found by their names and numbers, and by nothing else.
    private func check<Value: HealthEnumeration>(_: Value.Type, _ typeName: String, count: Int) {
        #expect(Value.typeName == typeName && Value.allCases.count == count)
        for value in Value.allCases {
            #expect(Value(named: value.name) == value && Value(rawValue: value.rawValue) == value)
            #expect(value.name.hasPrefix(typeName) && value.name != typeName && !value.title.isEmpty)
            for name in [value.name.lowercased(), value.name + " ", value.title, "\(value)"] {
                #expect(Value(named: name) == nil, "\(name)")
            }
        }
        #expect(Set(Value.allCases.map { $0.name }).count == count)
        #expect(Set(Value.allCases.map { $0.rawValue }).count == count)
        #expect(Set(Value.allCases.flatMap { $0.formerNames }) == Set(Value.otherNames.keys))
        for (name, value) in Value.otherNames {
            #expect(Value(named: name) == value && name != value.name, "\(name)")
            #expect(!Value.allCases.contains { $0.name == name }, "\(name)")
        }
        #expect(Value(named: "") == nil && Value(named: typeName) == nil && Value(rawValue: -1) == nil)
    }

    @Test("of categories are found by their names and numbers")
    func categories() {
        check(SleepAnalysisValue.self, "HKCategoryValueSleepAnalysis", count: 6)
        check(SeverityValue.self, "HKCategoryValueSeverity", count: 5)
        check(PresenceValue.self, "HKCategoryValuePresence", count: 2)
        check(AppetiteChangesValue.self, "HKCategoryValueAppetiteChanges", count: 4)
        check(MenstrualFlowValue.self, "HKCategoryValueMenstrualFlow", count: 5)
        check(VaginalBleedingValue.self, "HKCategoryValueVaginalBleeding", count: 5)
        check(CervicalMucusQualityValue.self, "HKCategoryValueCervicalMucusQuality", count: 5)
        check(ContraceptiveValue.self, "HKCategoryValueContraceptive", count: 7)
        check(OvulationTestResultValue.self, "HKCategoryValueOvulationTestResult", count: 4)
        check(PregnancyTestResultValue.self, "HKCategoryValuePregnancyTestResult", count: 3)
        check(ProgesteroneTestResultValue.self, "HKCategoryValueProgesteroneTestResult", count: 3)
        check(NotApplicableValue.self, "HKCategoryValue", count: 1)
        check(AppleStandHourValue.self, "HKCategoryValueAppleStandHour", count: 2)
        check(
            AppleWalkingSteadinessEventValue.self, "HKCategoryValueAppleWalkingSteadinessEvent", count: 4)
        check(
            EnvironmentalAudioExposureEventValue.self, "HKCategoryValueEnvironmentalAudioExposureEvent",
            count: 1)
        check(
            HeadphoneAudioExposureEventValue.self, "HKCategoryValueHeadphoneAudioExposureEvent", count: 1)
        check(LowCardioFitnessEventValue.self, "HKCategoryValueLowCardioFitnessEvent", count: 1)
    }

    @Test("of workouts and characteristics are found by their names and numbers")
    func others() {
        check(WorkoutActivityType.self, "HKWorkoutActivityType", count: 84)
        check(WorkoutEventType.self, "HKWorkoutEventType", count: 8)
        check(BiologicalSex.self, "HKBiologicalSex", count: 4)
        check(BloodType.self, "HKBloodType", count: 9)
        check(FitzpatrickSkinType.self, "HKFitzpatrickSkinType", count: 7)
        check(WheelchairUse.self, "HKWheelchairUse", count: 3)
    }

    @Test("have the names that exports have")
    func names() {
        let bloodTypes = [
            "NotSet", "APositive", "ANegative", "BPositive", "BNegative", "ABPositive", "ABNegative",
            "OPositive", "ONegative",
        ]
        #expect(BloodType.allCases.map(\.name) == bloodTypes.map { "HKBloodType" + $0 })
        #expect(
            BloodType(named: "HKBloodTypeABPositive") == .abPositive && BloodType.abPositive.symbol == "AB+")
        let skinTypes = ["NotSet", "I", "II", "III", "IV", "V", "VI"]
        #expect(FitzpatrickSkinType.allCases.map(\.name) == skinTypes.map { "HKFitzpatrickSkinType" + $0 })
        #expect(FitzpatrickSkinType(named: "HKFitzpatrickSkinTypeIV") == .four)
        #expect(BiologicalSex.allCases.map(\.title) == ["not set", "female", "male", "other"])
        #expect(SleepAnalysisValue.asleepREM.name == "HKCategoryValueSleepAnalysisAsleepREM")
        #expect(SleepAnalysisValue.asleepREM.title == "asleep REM")
        #expect(WorkoutActivityType.taiChi.name == "HKWorkoutActivityTypeTaiChi")
        #expect(WorkoutActivityType(rawValue: 37) == .running && WorkoutActivityType(rawValue: 81) == nil)
        #expect(WorkoutActivityType(rawValue: 3000) == .other)
    }

    @Test("have the names of earlier versions")
    func formerNames() {
        #expect(SleepAnalysisValue(named: "HKCategoryValueSleepAnalysisAsleep") == .asleepUnspecified)
        let positive = OvulationTestResultValue(named: "HKCategoryValueOvulationTestResultPositive")
        #expect(positive == .luteinizingHormoneSurge)
        let loud = "HKCategoryValueAudioExposureEventLoudEnvironment"
        #expect(EnvironmentalAudioExposureEventValue(named: loud) == .momentaryLimit)
        // Either enumeration has the values of the other.
        for (flow, bleeding) in zip(MenstrualFlowValue.allCases, VaginalBleedingValue.allCases) {
            #expect(flow.rawValue == bleeding.rawValue && flow.title == bleeding.title)
            #expect(MenstrualFlowValue(named: bleeding.name) == flow)
            #expect(VaginalBleedingValue(named: flow.name) == bleeding)
            #expect(CategoryValues.vaginalBleeding.rawValue(named: flow.name) == flow.rawValue)
            #expect(CategoryValues.menstrualFlow.rawValue(named: bleeding.name) == bleeding.rawValue)
        }
    }

    @Test("belong to all categories, and to nothing else")
    func types() {
        for type in AnySampleType.known {
            #expect((type.categoryValues != nil) == (type.kind == .category), "\(type)")
            #expect(type.categoryValues?.members.isEmpty != true)
        }
        #expect(AnySampleType("HKCategoryTypeIdentifierHiccups").categoryValues == nil)
        #expect(AnySampleType.sleepAnalysis.categoryValues == .sleepAnalysis)
        #expect(AnySampleType.headache.categoryValues == .severity)
        #expect(AnySampleType.moodChanges.categoryValues == .presence)
        #expect(AnySampleType.mindfulSession.categoryValues == .notApplicable)
        let audio = AnySampleType.environmentalAudioExposureEvent
        #expect(audio.categoryValues == .environmentalAudioExposureEvent)
        for type in [AnySampleType.menstrualFlow, .bleedingDuringPregnancy, .bleedingAfterPregnancy] {
            #expect(type.categoryValues?.rawValue(named: "HKCategoryValueMenstrualFlowHeavy") == 4)
            #expect(type.categoryValues?.rawValue(named: "HKCategoryValueVaginalBleedingHeavy") == 4)
        }
    }
}
