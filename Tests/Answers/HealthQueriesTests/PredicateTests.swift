import ByteText
import HealthModel
import HealthStoreTesting
import Testing

@Suite("Queries with predicates")
struct PredicateTests {
    private static let june = TestDocument.june
    private static let heartRate = "HKQuantityTypeIdentifierHeartRate"

    private static let store: InMemoryStore = {
        var dice = Dice(3)
        var document = TestDocument()
        for number in 0..<200 {
            let units = ["count/min", "count/s", "kg"]
            document.add(
                heartRate, "\(Int.random(in: 1...120, using: &dice))", from: june + number * 977,
                source: ["Watch", "Phone", "Ring"].randomElement(using: &dice) ?? "",
                unit: units.randomElement(using: &dice),
                metadata: [nil, "a", "b"].randomElement(using: &dice) ?? nil)
        }
        return document.store
    }()

    private static let predicates: [(SamplePredicate, @Sendable (QuantitySample) -> Bool)] = [
        (.all, { _ in true }),
        (.source(.named("Watch")), { $0.sourceName == "Watch" }),
        (.source(.name(endsWith: "ng")), { $0.sourceName == "Ring" }),
        (.metadata("k"), { $0.metadata["k"] != nil }),
        (.metadata("k", "b"), { $0.metadata["k"] == "b" }),
        (
            .value(.atLeast, Quantity(60, .count / .minute)),
            { ($0.value(in: .count / .minute) ?? -1) >= 60 }
        ),
        (
            .value(.below, Quantity(1, .count / .second())),
            { $0.value(in: .count / .second()).map { $0 < 1 } ?? false }
        ),
        (.value(.equal, Quantity(50, .gram(.kilo))), { $0.value(in: .gram(.kilo)) == 50 }),
        (.device("name", "x"), { _ in false }),
        (.activity(.running), { _ in false }),
    ]

    @Test("find metadata that iOS 8 wrote into attributes")
    func attributes() async throws {
        let records = (0..<4).map { number in
            """
            <Record type="\(Self.heartRate)" source="Phone" unit="count/min" \
            startDate="2014100108000\(number)+0200" endDate="2014100108000\(number)+0200" value="6\(number)" \
            HKWasUserEntered="\(number % 2)"/>
            """
        }
        let store = InMemoryStore(
            document: "<HealthData locale=\"en_GB\">\n" + records.joined(separator: "\n") + "\n</HealthData>")
        let all = try await store.samples(.heartRate).all()
        #expect(all.count == 4 && all.allSatisfy { $0.metadata["HKWasUserEntered"] != nil })
        for predicate in [SamplePredicate.metadata("HKWasUserEntered"), .metadata("HKWasUserEntered", "1")] {
            let found = try await store.samples(.heartRate, where: predicate).all()
            #expect(found.count == (predicate == .metadata("HKWasUserEntered") ? 4 : 2))
        }
    }

    @Test("return what the predicate is true of, combined in any way", arguments: 0..<predicates.count)
    func combinations(number: Int) async throws {
        let all = try await Self.store.samples(.heartRate).all()
        #expect(all.count == 200)
        let (left, isLeft) = Self.predicates[number]
        for (right, isRight) in Self.predicates {
            let cases: [(SamplePredicate, (QuantitySample) -> Bool)] = [
                (left && right, { isLeft($0) && isRight($0) }),
                (left || right, { isLeft($0) || isRight($0) }),
                (!left && right, { !isLeft($0) && isRight($0) }),
                (!(left || !right), { !isLeft($0) && isRight($0) }),
            ]
            for (predicate, isWanted) in cases {
                let found = try await Self.store.samples(.heartRate, where: predicate).all()
                #expect(found.map(\.position) == all.filter(isWanted).map(\.position), "\(predicate)")
            }
        }
    }

    @Test("find categories under all names of a value")
    func categories() async throws {
        var document = TestDocument()
        for (number, name) in ["Asleep", "AsleepUnspecified", "InBed", "Asleep"].enumerated() {
            document.add(
                "HKCategoryTypeIdentifierSleepAnalysis", "HKCategoryValueSleepAnalysis" + name,
                from: Self.june + number, unit: nil)
        }
        let store = document.store
        func count(_ predicate: SamplePredicate) async throws -> Int {
            try await store.samples(.sleepAnalysis, where: predicate).count()
        }
        #expect(try await count(.value(SleepAnalysisValue.asleepUnspecified)) == 3)
        #expect(try await count(.value(SleepAnalysisValue.inBed)) == 1)
        #expect(try await count(!.value(SleepAnalysisValue.inBed)) == 3)
    }

    @Test("by a bundle identifier are an error")
    func bundles() async throws {
        await #expect(throws: HealthStoreError(.missingBundleIdentifier)) {
            try await Self.store.samples(.heartRate, where: .source(.healthApp)).all()
        }
    }

    @Test(
        "take the first or the latest up to a limit, with the same identifiers",
        arguments: [0, 1, 2, 199, 200, 201])
    func limits(limit: Int) async throws {
        let all = try await Self.store.samples(.heartRate).all()
        let first = try await Self.store.samples(.heartRate, limit: limit).all()
        #expect(first.map(\.id) == all.prefix(limit).map(\.id))
        let latest = try await Self.store.samples(.heartRate, sortedBy: .newestFirst, limit: limit).all()
        #expect(latest.map(\.id) == all.reversed().prefix(limit).map(\.id))
    }

    @Test("may want what reaches into the time as well")
    func overlapping() async throws {
        var document = TestDocument()
        document.add("1", from: Self.june - 7200, to: Self.june)
        document.add("2", from: Self.june - 7200, to: Self.june + 1)
        document.add("3", from: Self.june, to: Self.june + 60)
        document.add("4", from: Self.june + 86399, to: Self.june + 90000)
        document.add("5", from: Self.june + 86400, to: Self.june + 90000)
        let store = document.store
        let query = SampleQuery(.stepCount, in: .day("2024-06-01"), days: .utc)
        #expect(try await store.samples(query).all().map(\.value) == [3, 4])
        var overlapping = query
        overlapping.matching = .overlapping
        #expect(try await store.samples(overlapping).all().map(\.value) == [2, 3, 4])
    }

    @Test("say in words what they want")
    func words() {
        let predicate =
            SamplePredicate.source(.named("Watch")) && !.value(.atLeast, Quantity(80, .count / .minute))
        #expect("\(predicate)" == #"(source is "Watch" and not value >= 80.0 count/min)"#)
        #expect(
            "\(SampleQuery(.heartRate, where: .wasUserEntered, sortedBy: .newestFirst, limit: 3))"
                == #"heartRate where "HKWasUserEntered" is "1", newest first, at most 3"#)
    }
}
