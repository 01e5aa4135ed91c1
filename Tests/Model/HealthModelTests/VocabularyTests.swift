import CivilTime
import HealthModel
import HealthTypes
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
            #expect(throws: UnknownSampleType(name: name)) { try AnySampleType.named(name) }
        }
        #expect(throws: UnknownSampleType.self) { try SampleType<CategorySample>.named("heartRate") }
    }

    @Test("have units for people of each region, which measure the same")
    func units() throws {
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

@Suite("Sets of sample types")
struct SampleTypesCollectionTests {
    @Test("have each type once")
    func rules() {
        var types: SampleTypesCollection = [.heartRate, .stepCount, .heartRate]
        #expect(types.count == 2 && types.contains(.heartRate) && !types.contains(.workout))
        let again = types.insert(.stepCount)
        let new = types.insert(SampleType<CategorySample>.sleepAnalysis)
        let removed = types.remove(.heartRate)
        let nothing = types.remove(.heartRate)
        #expect(!again && new && removed && !nothing)
        #expect(types.quantityTypes == [.stepCount] && types.categoryTypes == [.sleepAnalysis])
        #expect(SampleTypesCollection.allKnown.count == 213)
        #expect(SampleTypesCollection(.quantity).count == 119 && SampleTypesCollection(.category).count == 68)
        #expect(types == [.sleepAnalysis, .stepCount] && types.union([.workout]).count == 3)
    }

    @Test("expand to the types that belong to theirs")
    func expansion() {
        func expanded(_ types: SampleTypesCollection) -> SampleTypesCollection { types.expanded }
        #expect(expanded([.bloodPressure]) == [.bloodPressureSystolic, .bloodPressureDiastolic])
        #expect(expanded([.bloodPressureSystolic]) == [.bloodPressureSystolic, .bloodPressureDiastolic])
        #expect(expanded([.heartbeatSeries]) == [.heartbeatSeries, .heartRateVariabilitySDNN])
        #expect(expanded([.workoutRoute]) == [.workoutRoute, .workout])
        #expect(expanded([.food]).count == 39 && expanded([.heartRate]) == [.heartRate])
    }

    @Test("are written as strings that lead back")
    func proxies() throws {
        for type in AnySampleType.known + [
            AnySampleType("HKQuantityTypeIdentifierOfTomorrow"), AnySampleType("x;y"),
        ] {
            #expect(try SampleTypeProxy(parsing: SampleTypeProxy(type).text).type == type)
        }
        #expect(throws: SampleTypeProxy.DecodingFailure.unknownKind) { try SampleTypeProxy(parsing: "a;b") }
        #expect(throws: SampleTypeProxy.DecodingFailure.unknownKind) {
            try SampleTypeProxy(parsing: "quantity")
        }
        for text in ["quantity;", "category;HKQuantityTypeIdentifierHeartRate"] {
            #expect(throws: SampleTypeProxy.DecodingFailure.unknownIdentifier) {
                try SampleTypeProxy(parsing: text)
            }
        }
    }
}

@Suite("Values of categories")
struct CategoryValueTests {
    private func check<Value: HealthEnumeration>(_ type: Value.Type) {
        #expect(!Value.allCases.isEmpty)
        for value in Value.allCases {
            #expect(Value(named: value.name) == value && value.name.hasPrefix(Value.typeName))
            for name in value.formerNames { #expect(Value(named: name) == value) }
        }
        #expect(Value(named: Value.typeName + "Nope") == nil && Value(named: "") == nil)
    }

    @Test("have names that lead back")
    func names() {
        check(SleepAnalysisValue.self)
        check(SeverityValue.self)
        check(MenstrualFlowValue.self)
        check(VaginalBleedingValue.self)
        check(OvulationTestResultValue.self)
        check(EnvironmentalAudioExposureEventValue.self)
        check(NotApplicableValue.self)
        check(WorkoutActivityType.self)
        check(WorkoutEventType.self)
        check(BiologicalSex.self)
        check(BloodType.self)
        check(FitzpatrickSkinType.self)
        #expect(BloodType(named: "HKBloodTypeABPositive") == .abPositive)
        #expect(FitzpatrickSkinType(named: "HKFitzpatrickSkinTypeIV") == .four)
        #expect(WorkoutActivityType(named: "HKWorkoutActivityTypeOther")?.rawValue == 3000)
        #expect(SleepAnalysisValue(named: "HKCategoryValueSleepAnalysisAsleep") == .asleepUnspecified)
        #expect(SleepAnalysisValue.asleepREM.title == "asleep REM")
    }

    @Test("are known for every known category")
    func categories() {
        for type in AnySampleType.known {
            #expect((type.categoryValues != nil) == (type.kind == .category), "\(type)")
        }
        #expect(AnySampleType.sleepAnalysis.categoryValues?.members.count == 6)
        #expect(CategoryValues.menstrualFlow.rawValue(named: "HKCategoryValueVaginalBleedingHeavy") == 4)
    }
}

@Suite("Filters of sources")
struct SourceFilterTests {
    private static let health = Source(name: "Health", bundleIdentifier: "com.apple.Health")
    private static let watch = Source(
        name: "Alice’s Apple Watch", bundleIdentifier: "com.apple.health.AB0C5A6E-0000-4000-8000-1234567890AB"
    )
    private static let other = Source(name: "AutoSleep", bundleIdentifier: "com.tantsissa.AutoSleep")

    @Test("want the sources that they name")
    func matrix() throws {
        let all = [Self.health, Self.watch, Self.other]
        func wanted(_ filter: SourceFilter) throws -> [Source] { try all.filter { try filter.matches($0) } }
        #expect(try wanted(.any) == all)
        #expect(try wanted(.healthApp) == [Self.health])
        #expect(try wanted(.bundleIdentifier(beginsWith: "COM.apple.health")) == [Self.health, Self.watch])
        #expect(try wanted(.bundleIdentifier("com.tantsissa.autosleep")) == [Self.other])
        #expect(try wanted(.named("Health")) == [Self.health] && wanted(.named("health")).isEmpty)
        #expect(try wanted(.name(beginsWith: "A")) == [Self.watch, Self.other])
        #expect(
            try wanted(.name(endsWith: "Watch")) == [Self.watch] && wanted(.name(endsWith: "watch")).isEmpty)
    }

    @Test("by bundle identifiers are an error for sources of an export, which have none")
    func exports() throws {
        let source = Source(name: "Health")
        #expect(throws: SourceFilter.MissingBundleIdentifier.self) {
            try SourceFilter.healthApp.matches(source)
        }
        #expect(try SourceFilter.named("Health").matches(source))
        #expect(SamplePredicate.source(.healthApp).needsBundleIdentifier)
        #expect((!SamplePredicate.source(.healthApp) || .wasUserEntered).needsBundleIdentifier)
    }
}

@Suite("Times of queries")
struct QueryTimeRangeTests {
    /// 2024-05-15T13:30:00Z, a Wednesday.
    private static let now = 1_715_779_800

    private func range(_ range: QueryTimeRange) -> [String] {
        let resolved = range.resolved(.utc, now: Self.now)
        return [resolved.lowerBound, resolved.upperBound].map {
            Timestamp(seconds: $0, offsetMinutes: 0).utc
        }
    }

    @Test("count back in whole units, of which the current one is the last")
    func units() {
        #expect(range(.currentHour) == ["2024-05-15T13:00:00Z", "2024-05-15T14:00:00Z"])
        #expect(range(.today) == ["2024-05-15T00:00:00Z", "2024-05-16T00:00:00Z"])
        #expect(range(.currentWeek) == ["2024-05-13T00:00:00Z", "2024-05-20T00:00:00Z"])
        #expect(range(.currentMonth) == ["2024-05-01T00:00:00Z", "2024-06-01T00:00:00Z"])
        #expect(range(.currentYear) == ["2024-01-01T00:00:00Z", "2025-01-01T00:00:00Z"])
        #expect(range(.last(days: 7)) == ["2024-05-09T00:00:00Z", "2024-05-16T00:00:00Z"])
        #expect(range(.last(months: 5)) == ["2024-01-01T00:00:00Z", "2024-06-01T00:00:00Z"])
        #expect(
            [.last(hours: 1), .last(days: 1), .last(weeks: 1), .last(months: 1), .last(years: 1)]
                == [QueryTimeRange.currentHour, .today, .currentWeek, .currentMonth, .currentYear])
        #expect(QueryTimeRange.last(days: 0) == .today && QueryTimeRange.last(days: -5) == .today)
    }

    @Test("have both ends, or none")
    func limits() {
        #expect(range(.day("2024-02-29")) == ["2024-02-29T00:00:00Z", "2024-03-01T00:00:00Z"])
        #expect(
            range(.days("2023-12-31"..."2024-01-01")) == ["2023-12-31T00:00:00Z", "2024-01-02T00:00:00Z"])
        #expect(
            range(.between("2024-01-01T10:00:00Z", "2024-01-01T10:00:05+00:00"))
                == ["2024-01-01T10:00:00Z", "2024-01-01T10:00:06Z"])
        #expect(QueryTimeRange.ever.resolved(.utc, now: 0) == .min ..< .max)
        #expect(QueryTimeRange.since("2024-01-01").resolved(.utc, now: 0).upperBound == .max)
        let backwards = QueryTimeRange.between("2024-02-01", "2024-01-01").resolved(.utc, now: 0)
        #expect(backwards.isEmpty)
    }
}
