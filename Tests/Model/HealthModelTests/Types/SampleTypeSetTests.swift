import ExportGenerator
import HealthModel
import Testing

@Suite("Sets of any sample types")
struct SampleTypeSetTests {
    /// A type of tomorrow of every kind.
    private static let unknown = [
        "HKQuantityTypeIdentifierNikeFuel", "HKCategoryTypeIdentifierHiccups",
        "HKCorrelationTypeIdentifierSleep", "HKClinicalTypeIdentifierPetRecord",
        "HKCharacteristicTypeIdentifierHeight", "HKDataTypeSleepDurationGoal", "ClinicalRecord/Observation",
        "HKQuantityTypeIdentifierÄther", "",
    ].map { AnySampleType($0) }

    private static let all = AnySampleType.known + unknown

    /// Some of all types.
    private static func subset(_ random: inout SplitMix64) -> [AnySampleType] {
        var subset: [AnySampleType] = []
        for type in all where random.below(2) == 0 { subset.append(type) }
        return subset
    }

    private static let pressures: SampleTypesCollection = [.bloodPressureSystolic, .bloodPressureDiastolic]

    @Test("have each type once, whatever the order in which types are added", arguments: 0..<8)
    func insertion(seed: Int) {
        var random = SplitMix64(seed: UInt64(seed))
        let types = Self.all.shuffled(using: &random)
        var set: SampleTypesCollection = []
        for (number, type) in types.enumerated() {
            let wasThere = set.contains(type)
            let isNew = set.insert(type)
            let isNewAgain = set.insert(type)
            #expect(!wasThere && isNew && !isNewAgain, "\(type)")
            #expect(set.contains(type) && set.count == number + 1)
        }
        #expect(set == SampleTypesCollection(Self.all))
        #expect(set.hashValue == SampleTypesCollection(Self.all + Self.all).hashValue)
    }

    @Test("lose what is removed, and nothing else", arguments: 0..<4)
    func removal(seed: Int) {
        var random = SplitMix64(seed: UInt64(seed))
        var set = SampleTypesCollection(Self.all)
        var rest = Self.all.shuffled(using: &random)
        while let type = rest.popLast() {
            let wasThere = set.remove(type)
            let wasThereAgain = set.remove(type)
            #expect(wasThere && !wasThereAgain && !set.contains(type), "\(type)")
            #expect(set == SampleTypesCollection(rest))
        }
        #expect(set.isEmpty && set == [])
    }

    @Test("are the types that a typed one stands for")
    func typed() {
        var set: SampleTypesCollection = [.heartRate, .heartRate, .sleepAnalysis, .bloodPressure]
        #expect(set.count == 3)
        let isNew = set.insert(SampleType<QuantitySample>.heartRate)
        let isOtherNew = set.insert(SampleType<Workout>.workout)
        #expect(!isNew && isOtherNew && set.contains(.workout) && set.count == 4)
    }

    @Test("have the types of each kind", arguments: AnySampleType.Kind.allCases)
    func kinds(kind: AnySampleType.Kind) {
        let types = AnySampleType.known.filter { $0.kind == kind }
        let set = SampleTypesCollection(kind)
        #expect(!set.isEmpty && set.count == types.count && set == SampleTypesCollection(types))
        #expect(set.types(of: kind) == Array(set))
        #expect(SampleTypesCollection.allKnown.types(of: kind) == Array(set))
        for other in AnySampleType.Kind.allCases where other != kind {
            #expect(set.types(of: other).isEmpty)
        }
        #expect(set.quantityTypes == set.types(of: .quantity))
        #expect(set.categoryTypes == set.types(of: .category))
        #expect(set.correlationTypes == set.types(of: .correlation))
    }

    @Test("come in the order of their identifiers", arguments: 0..<8)
    func order(seed: Int) {
        var random = SplitMix64(seed: UInt64(seed))
        let types = Self.subset(&random)
        let identifiers = types.map { Array($0.identifier.utf8) }
        let sorted = identifiers.sorted { $0.lexicographicallyPrecedes($1) }
        let set = SampleTypesCollection(types.shuffled(using: &random))
        #expect(set.map { Array($0.identifier.utf8) } == sorted)
    }

    @Test("are united", arguments: 0..<8)
    func union(seed: Int) {
        var random = SplitMix64(seed: UInt64(seed))
        let one = SampleTypesCollection(Self.subset(&random))
        let other = SampleTypesCollection(Self.subset(&random))
        let union = one.union(other)
        for type in Self.all {
            #expect(union.contains(type) == (one.contains(type) || other.contains(type)), "\(type)")
        }
        var formed = one
        formed.formUnion(other)
        #expect(formed == union && other.union(one) == union && union.union(one) == union)
    }

    @Test("expand a correlation to its members")
    func correlations() {
        let pressure: SampleTypesCollection = [.bloodPressure]
        let food: SampleTypesCollection = [.food]
        #expect(pressure.expanded == Self.pressures)
        let nutrients = food.expanded
        #expect(nutrients == SampleTypesCollection(AnySampleType.food.members) && nutrients.count == 39)
        #expect(nutrients.allSatisfy { $0.kind == .quantity && $0.isKnown })
    }

    @Test("expand one half of a blood pressure to both")
    func halves() {
        for type in Self.pressures {
            #expect(SampleTypesCollection([type]).expanded == Self.pressures)
        }
    }

    @Test("expand a heartbeat series and a route to what they come with")
    func companions() {
        let beats: SampleTypesCollection = [.heartbeatSeries]
        let routes: SampleTypesCollection = [.workoutRoute]
        #expect(beats.expanded == [.heartbeatSeries, .heartRateVariabilitySDNN])
        #expect(routes.expanded == [.workoutRoute, .workout])
        let others: SampleTypesCollection = [.heartRateVariabilitySDNN, .workout]
        #expect(others.expanded == others)
    }

    @Test("expand no other type")
    func others() {
        let special: SampleTypesCollection = [.bloodPressure, .food, .heartbeatSeries, .workoutRoute]
        for type in Self.all where !special.contains(type) && !Self.pressures.contains(type) {
            let set = SampleTypesCollection([type])
            #expect(set.expanded == set)
        }
    }

    @Test("expand type by type, and only once", arguments: 0..<16)
    func expansion(seed: Int) {
        var random = SplitMix64(seed: UInt64(seed))
        let one = SampleTypesCollection(Self.subset(&random))
        let other = SampleTypesCollection(Self.subset(&random))
        #expect(one.union(other).expanded == one.expanded.union(other.expanded))
        #expect(one.expanded.expanded == one.expanded)
        #expect(one.expanded.allSatisfy { $0.kind != .correlation || !$0.isKnown })
    }

    @Test("are the same after they were written as texts and read", arguments: 0..<8)
    func texts(seed: Int) throws {
        var random = SplitMix64(seed: UInt64(seed))
        let set = SampleTypesCollection(Self.subset(&random).filter { !$0.identifier.isEmpty })
        let texts = set.map { SampleTypeProxy($0).text }
        let read = try texts.map { try SampleTypeProxy(parsing: $0).type }
        #expect(read == Array(set) && SampleTypesCollection(read) == set)
    }
}

@Suite("Sample types as texts")
struct SampleTypeProxyTests {
    @Test("have their kind and their identifier, and are read again")
    func known() throws {
        for type in AnySampleType.known {
            let proxy = SampleTypeProxy(type)
            #expect(proxy.text == "\(type.kind.rawValue);\(type.identifier)")
            #expect(try SampleTypeProxy(parsing: proxy.text) == proxy && proxy.type == type)
        }
        let typed = SampleTypeProxy(SampleType<QuantitySample>.heartRate)
        #expect(typed.text == "quantity;HKQuantityTypeIdentifierHeartRate")
        #expect(typed == SampleTypeProxy(AnySampleType.heartRate))
    }

    @Test(
        "may be of types that are not known",
        arguments: [
            ("quantity;HKQuantityTypeIdentifierNikeFuel", "HKQuantityTypeIdentifierNikeFuel"),
            ("category;HKCategoryTypeIdentifierHiccups", "HKCategoryTypeIdentifierHiccups"),
            ("correlation;HKCorrelationTypeIdentifierSleep", "HKCorrelationTypeIdentifierSleep"),
            ("other;HKActivitySummaryTypeIdentifier", "HKActivitySummaryTypeIdentifier"),
            ("other;ClinicalRecord/Observation", "ClinicalRecord/Observation"),
            ("other;heartRate", "heartRate"), ("other;;", ";"), ("other;a;b", "a;b"), ("other; ", " "),
        ])
    func unknown(text: String, identifier: String) throws {
        let proxy = try SampleTypeProxy(parsing: text)
        #expect(proxy.type.identifier == identifier && !proxy.type.isKnown && proxy.text == text)
    }

    @Test(
        "with another kind are refused",
        arguments: [
            "", "quantity", "HKQuantityTypeIdentifierHeartRate", ";HKQuantityTypeIdentifierHeartRate", ";",
            "Quantity;HKQuantityTypeIdentifierHeartRate", " quantity;HKQuantityTypeIdentifierHeartRate",
            "quantity ;HKQuantityTypeIdentifierHeartRate", "HKQuantityType;HKQuantityTypeIdentifierHeartRate",
            "quantity:HKQuantityTypeIdentifierHeartRate",
        ])
    func unknownKinds(text: String) {
        #expect(throws: HealthTypesError(.unknownKind, text)) { try SampleTypeProxy(parsing: text) }
    }

    @Test(
        "without an identifier, or with one of another kind, are refused",
        arguments: [
            "quantity;", "other;", "quantity;heartRate", "quantity; HKQuantityTypeIdentifierHeartRate",
            "quantity;HKCategoryTypeIdentifierHiccups", "other;HKQuantityTypeIdentifierNikeFuel",
            "quantity;hkquantitytypeidentifierheartrate",
        ])
    func unknownIdentifiers(text: String) {
        #expect(throws: HealthTypesError(.unknownIdentifier, text)) {
            try SampleTypeProxy(parsing: text)
        }
    }

    @Test("with every kind but their own are refused")
    func otherKinds() {
        for type in AnySampleType.known {
            for kind in AnySampleType.Kind.allCases where kind != type.kind {
                let text = "\(kind.rawValue);\(type.identifier)"
                #expect(throws: HealthTypesError(.unknownIdentifier, text)) {
                    try SampleTypeProxy(parsing: text)
                }
            }
        }
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
        for text in ["a;b", "quantity"] {
            #expect(throws: HealthTypesError(.unknownKind, text)) { try SampleTypeProxy(parsing: text) }
        }
        for text in ["quantity;", "category;HKQuantityTypeIdentifierHeartRate"] {
            #expect(throws: HealthTypesError(.unknownIdentifier, text)) {
                try SampleTypeProxy(parsing: text)
            }
        }
    }
}
