import HealthModel
import Testing

@Suite("Types with the types of their samples")
struct TypedSampleTypeTests {
    @Test("have a member for each known type of their kind")
    func members() {
        #expect(SampleType<QuantitySample>.heartRate.erased == .heartRate)
        #expect(
            SampleType<QuantitySample>.bloodOxygen.identifier == "HKQuantityTypeIdentifierOxygenSaturation")
        #expect(SampleType<CategorySample>.sleepAnalysis.title == "Sleep")
        #expect(SampleType<CorrelationSample>.food.members.count == 39)
        #expect(SampleType<Workout>.workout.erased == .workout)
        #expect(SampleType<ClinicalRecord>.clinicalRecords(of: "Observation").kind == .other)
        #expect(AnySampleType.bloodPressure.members == [.bloodPressureSystolic, .bloodPressureDiastolic])
    }

    @Test("are made of identifiers of their own kind only")
    func kinds() throws {
        #expect(SampleType<QuantitySample>("HKCategoryTypeIdentifierSleepAnalysis") == nil)
        #expect(SampleType<CategorySample>("HKQuantityTypeIdentifierHeartRate") == nil)
        let tomorrow = try #require(SampleType<QuantitySample>("HKQuantityTypeIdentifierOfTomorrow"))
        #expect(!tomorrow.isKnown && tomorrow.canonicalUnit == nil)
    }

    @Test("have names that lead to them, and say when a name leads nowhere")
    func names() throws {
        #expect(try SampleType<QuantitySample>.named("heartrate") == .heartRate)
        #expect(try AnySampleType.named("HKWorkoutTypeIdentifier") == .workout)
        for name in ["hartRate", "", "heartRate ", "HKQuantityTypeIdentifierOfTomorrow"] {
            #expect(throws: HealthTypesError(.unknownSampleType, name)) { try AnySampleType.named(name) }
        }
        #expect(throws: HealthTypesError.self) { try SampleType<CategorySample>.named("heartRate") }
    }
}

@Suite("Sample types by names and kinds")
struct SampleTypeKindTests {
    /// Checks which types exist for samples of a kind.
    private func check<Sample: HealthSample>(_: Sample.Type, _ identifiers: [String]) {
        for identifier in identifiers {
            let type = AnySampleType(identifier)
            let typed = SampleType<Sample>(identifier)
            let isRight = Sample.kind == nil || Sample.kind == type.kind
            #expect(typed?.erased == (isRight ? type : nil), "\(Sample.self) \(identifier)")
        }
    }

    @Test("exist for identifiers of their kind, known or not, and for no others")
    func kinds() {
        let identifiers =
            AnySampleType.known.map(\.identifier) + [
                "HKQuantityTypeIdentifierNikeFuel", "HKCategoryTypeIdentifierHiccups",
                "HKCorrelationTypeIdentifierSleep", "HKClinicalTypeIdentifierPetRecord",
                "HKActivitySummaryTypeIdentifier", "ClinicalRecord/Observation", "heartRate", "",
            ]
        check(QuantitySample.self, identifiers)
        check(CategorySample.self, identifiers)
        check(CorrelationSample.self, identifiers)
        check(Workout.self, identifiers)
        check(AudiogramSample.self, identifiers)
        check(HeartbeatSeries.self, identifiers)
        check(VisionPrescription.self, identifiers)
        check(ActivitySummary.self, identifiers)
        check(ClinicalRecord.self, identifiers)
        check(UntypedRecord.self, identifiers)
        check(AnySample.self, identifiers)
        #expect(SampleType<QuantitySample>("HKCategoryTypeIdentifierSleepAnalysis") == nil)
        #expect(SampleType<CategorySample>("HKQuantityTypeIdentifierHeartRate") == nil)
        #expect(QuantitySample.kind == .quantity && CategorySample.kind == .category)
        #expect(CorrelationSample.kind == .correlation && Workout.kind == .other)
        #expect(AnySample.kind == nil && ClinicalRecord.kind == nil && UntypedRecord.kind == nil)
    }

    @Test("are found by identifiers and by short names in any case")
    func names() throws {
        for type in AnySampleType.known {
            let short = type.shortName
            for name in [type.identifier, short, short.uppercased(), short.lowercased()] {
                #expect(try AnySampleType.named(name) == type, "\(name)")
                #expect(try SampleType<AnySample>.named(name).erased == type, "\(name)")
                guard type.kind != .quantity else {
                    #expect(try SampleType<QuantitySample>.named(name).erased == type, "\(name)")
                    continue
                }
                #expect(throws: HealthTypesError(.unknownSampleType, name)) {
                    try SampleType<QuantitySample>.named(name)
                }
            }
        }
        #expect(try AnySampleType.named("bloodOxygen") == .bloodOxygen)
        #expect(try SampleType<QuantitySample>.named("vo2max") == .vo2Max)
        #expect(try SampleType<Workout>.named("workout") == .workout)
    }

    @Test("are not found by a name with a letter too few or too many")
    func typos() {
        for type in AnySampleType.known {
            let short = type.shortName
            let typos = [
                String(short.dropLast()), String(short.dropFirst()), short + "x", " " + short, short + " ",
                type.identifier.lowercased(), String(type.identifier.dropLast()), type.title + ".",
            ]
            for name in typos {
                #expect(throws: HealthTypesError(.unknownSampleType, name)) { try AnySampleType.named(name) }
            }
        }
        for name in ["", "hartRate", "group:vitals", "HKQuantityTypeIdentifierNikeFuel", "heart rate"] {
            #expect(throws: HealthTypesError(.unknownSampleType, name)) { try AnySampleType.named(name) }
            #expect(throws: HealthTypesError(.unknownSampleType, name)) {
                try SampleType<QuantitySample>.named(name)
            }
        }
        #expect(
            HealthTypesError(.unknownSampleType, "a\n\"").description
                == #"no known sample type is called "a\n\"""#)
    }
}
