import ByteText
import HealthModel
import Testing

// The examples of the documentation that need no store, as they stand there.

@Suite("The examples about types, units and samples")
struct VocabularyExampleTests {
    @Test("name a type")
    func types() {
        var printed: [String] = []
        func print(_ items: Any...) { printed.append(items.map { "\($0)" }.joined(separator: " ")) }

        let type = AnySampleType.heartRate
        print(type.title, type.shortName, type.identifier)
        #expect(printed == ["Heart Rate heartRate HKQuantityTypeIdentifierHeartRate"])
    }

    @Test("find a type by its name")
    func names() throws {
        let type = try AnySampleType.named("bodymass")
        let weight = try SampleType<QuantitySample>.named("bodyMass")
        #expect(type == .bodyMass && weight == .bodyMass)
        #expect(throws: HealthTypesError(.unknownSampleType, "hartRate")) {
            try AnySampleType.named("hartRate")
        }
        #expect(throws: HealthTypesError.self) { try SampleType<CategorySample>.named("bodyMass") }
    }

    @Test("take a type that is not known")
    func unknownTypes() throws {
        var printed: [String] = []
        func print(_ items: Any...) { printed.append(items.map { "\($0)" }.joined(separator: " ")) }

        let type = AnySampleType("HKQuantityTypeIdentifierNikeFuel")
        print(type.title, type.kind, type.isKnown)
        #expect(printed == ["Nike Fuel quantity false"])

        let fuel = SampleType<QuantitySample>("HKQuantityTypeIdentifierNikeFuel")
        #expect(fuel?.erased == type)
        #expect(SampleType<CategorySample>("HKQuantityTypeIdentifierNikeFuel") == nil)
    }

    @Test("make a set of types")
    func collections() {
        var types: SampleTypesCollection = [.heartRate, .stepCount, .bloodPressure]
        types.insert(.sleepAnalysis)
        types.formUnion(SampleTypesCollection(SampleTypeGroup.mobility.types))
        #expect(types.count == 14 && types.correlationTypes == [.bloodPressure])
    }

    @Test("list the values of a category")
    func categoryValues() {
        var printed: [String] = []
        func print(_ items: Any...) { printed.append(items.map { "\($0)" }.joined(separator: " ")) }

        for value in SleepAnalysisValue.allCases {
            print(value.rawValue, value.title, value.name)
        }
        #expect(printed.count == 6 && printed[4] == "4 asleep deep HKCategoryValueSleepAnalysisAsleepDeep")

        let severities = AnySampleType.headache.categoryValues?.members ?? []
        #expect(severities.map(\.title) == ["unspecified", "not present", "mild", "moderate", "severe"])
    }

    @Test("write units")
    func units() throws {
        var printed: [String] = []
        func print(_ items: Any...) { printed.append(items.map { "\($0)" }.joined(separator: " ")) }

        let speed = HealthUnit.meter(.kilo) / .hour
        let glucose = try HealthUnit("mg/dL")
        let cardioFitness = try HealthUnit("mL/kg·min")
        print(speed, glucose, cardioFitness)
        #expect(printed == ["km/hr mg/dL mL/kg·min"])
    }

    @Test("convert quantities")
    func conversion() {
        var printed: [String] = []
        func print(_ items: Any...) { printed.append(items.map { "\($0)" }.joined(separator: " ")) }

        let run = Quantity(5, .mile)
        print(run.value(in: .meter(.kilo)) ?? 0)
        print(run.unit.isCompatible(with: .minute))
        #expect(printed == ["8.04672", "false"])
    }

    @Test("keep a number as it was written")
    func text() {
        let weight = Quantity("61.50", .gram(.kilo))
        #expect(weight?.description == "61.50 kg" && weight == Quantity(61.5, .gram(.kilo)))
    }

    @Test("choose the unit of a region")
    func regions() {
        var printed: [String] = []
        func print(_ items: Any...) { printed.append(items.map { "\($0)" }.joined(separator: " ")) }
        let weight = Quantity(80, .gram(.kilo))

        if let unit = AnySampleType.bodyMass.preferredUnit(in: .us), let value = weight.value(in: unit) {
            print(value.rounded(), unit)
        }
        #expect(printed == ["176.0 lb"])
    }

    @Test("make a sample")
    func samples() {
        let start = Timestamp(seconds: 1_709_802_000, offsetMinutes: 60)

        let sample = QuantitySample(
            .bodyMass, Quantity(61.5, .gram(.kilo)), start: start, source: Source(name: "Scales"),
            metadata: ["HKWasUserEntered": "1"])
        #expect(sample.value == 61.5 && sample.startDate?.iso == "2024-03-07T10:00:00+01:00")
        #expect(sample.sourceName == "Scales" && sample.metadata.wasUserEntered == true)
    }
}
