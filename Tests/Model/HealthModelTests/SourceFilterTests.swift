import ExportGenerator
import HealthModel
import SampleBatches
import Testing

@Suite("Filters and sources")
struct SourceFilterMatrixTests {
    private static let health = Source(name: "Health", version: "17.4", bundleIdentifier: "com.apple.health")
    private static let watch = Source(
        name: "Anna’s Apple Watch", version: "10.4",
        bundleIdentifier: "com.apple.health.2D5F1C44-8A7E-4B0B-9D6F-0A1B2C3D4E5F")
    private static let autoSleep = Source(name: "AutoSleep", bundleIdentifier: "com.tantsissa.AutoSleep")

    /// What filters say of the Health app, a watch, and an app.
    static let matrix: [(SourceFilter, [Bool])] = [
        (.any, [true, true, true]),
        (.healthApp, [true, false, false]),
        (.bundleIdentifier("com.apple.health"), [true, false, false]),
        (.bundleIdentifier("COM.Apple.HEALTH"), [true, false, false]),
        (.bundleIdentifier("com.apple"), [false, false, false]),
        (.bundleIdentifier(""), [false, false, false]),
        (.bundleIdentifier("com.tantsissa.autosleep"), [false, false, true]),
        (.bundleIdentifier(beginsWith: "com.apple.health"), [true, true, false]),
        (.bundleIdentifier(beginsWith: "Com.Apple.Health."), [false, true, false]),
        (.bundleIdentifier(beginsWith: "com.tantsissa.auto"), [false, false, true]),
        (.bundleIdentifier(beginsWith: ""), [true, true, true]),
        (.bundleIdentifier(beginsWith: "apple"), [false, false, false]),
        (.named("Health"), [true, false, false]),
        (.named("health"), [false, false, false]),
        (.named("HEALTH"), [false, false, false]),
        (.named("com.apple.health"), [false, false, false]),
        (.named("Anna’s Apple Watch"), [false, true, false]),
        (.named("Anna's Apple Watch"), [false, false, false]),
        (.named(""), [false, false, false]),
        (.name(readsLike: "Anna’s Apple Watch"), [false, true, false]),
        (.name(readsLike: "Anna's Apple\u{a0}Watch"), [false, true, false]),
        (.name(readsLike: "anna's apple watch"), [false, true, false]),
        (.name(readsLike: "Annas Apple Watch"), [false, false, false]),
        (.name(readsLike: "health"), [true, false, false]),
        (.name(readsLike: ""), [false, false, false]),
        (.name(beginsWith: "A"), [false, true, true]),
        (.name(beginsWith: "a"), [false, false, false]),
        (.name(beginsWith: "AutoSleep2"), [false, false, false]),
        (.name(beginsWith: ""), [true, true, true]),
        (.name(endsWith: "Watch"), [false, true, false]),
        (.name(endsWith: "watch"), [false, false, false]),
        (.name(endsWith: "eep"), [false, false, true]),
        (.name(endsWith: ""), [true, true, true]),
    ]

    @Test("match the sources that they describe", arguments: matrix)
    func matches(filter: SourceFilter, expected: [Bool]) throws {
        for (source, isWanted) in zip([Self.health, Self.watch, Self.autoSleep], expected) {
            #expect(try filter.matches(source) == isWanted, "\(filter), \(source)")
        }
    }

    @Test("for bundle identifiers cannot match a source without one", arguments: matrix)
    func missing(filter: SourceFilter, expected: [Bool]) throws {
        for source in [Self.health, Self.watch, Self.autoSleep] {
            let exported = Source(name: source.name, version: source.version)
            guard filter.needsBundleIdentifier else {
                #expect(try filter.matches(exported) == filter.matches(source))
                continue
            }
            #expect(throws: HealthStoreError(.missingBundleIdentifier)) { try filter.matches(exported) }
        }
        let isByBundle = filter.description.hasPrefix("bundle identifier")
        #expect(filter.needsBundleIdentifier == isByBundle)
    }

    @Test("compare names as they are written")
    func spellings() throws {
        for (name, other) in [("Caf\u{e9}", "Cafe\u{301}"), ("\u{212b}", "\u{c5}")] {
            for filter in [SourceFilter.named(name), .name(beginsWith: name), .name(endsWith: name)] {
                #expect(try filter.matches(Source(name: name)) == true)
                #expect(try filter.matches(Source(name: other)) == false)
            }
        }
    }

    @Test("for bundle identifiers are found in predicates, however deep")
    func predicates() {
        let named = SamplePredicate.source(.named("Watch"))
        let app = SamplePredicate.source(.healthApp)
        let begins = SamplePredicate.source(.bundleIdentifier(beginsWith: "com"))
        let either = named || begins
        let nested = !(named && !either)
        for predicate in [app, begins, !app, named && app, app || named, either, nested] {
            #expect(predicate.needsBundleIdentifier, "\(predicate)")
        }
        let entered = SamplePredicate.wasUserEntered
        let metadata = SamplePredicate.metadata("com.apple.health")
        for predicate in [SamplePredicate.all, named, !named, named && entered, metadata] {
            #expect(!predicate.needsBundleIdentifier, "\(predicate)")
        }
    }

    /// A store of heart rates of some sources.
    private func store(_ random: inout SplitMix64, count: Int) -> BatchStore {
        let names = ["Health", "Anna’s Apple Watch", "AutoSleep"]
        var elements: [ElementNode] = []
        for number in 0..<count {
            elements.append(
                TestRows.element(
                    "Record",
                    [
                        ("type", "HKQuantityTypeIdentifierHeartRate"),
                        ("sourceName", random.pick(from: names)),
                        ("unit", "count/min"), ("startDate", "2024-03-07 10:00:00 +0100"),
                        ("endDate", "2024-03-07 10:00:00 +0100"), ("value", "\(60 + number)"),
                    ]))
        }
        return BatchStore(batch: TestRows.batch(elements))
    }

    @Test("divide the samples of a store: the counts of its sources add up", arguments: 0..<8)
    func counts(seed: Int) async throws {
        var random = SplitMix64(seed: UInt64(seed))
        let store = store(&random, count: 60)
        let type = SampleType<QuantitySample>.heartRate
        func count(_ predicate: SamplePredicate) async throws -> Int {
            try await store.samples(type, where: predicate).count()
        }
        let isHealth = SamplePredicate.source(.named("Health"))
        let isWatch = SamplePredicate.source(.name(endsWith: "Watch"))
        let all = try await count(.all)
        let health = try await count(isHealth)
        let others = try await count(!isHealth)
        let watch = try await count(isWatch)
        let app = try await count(.source(.name(beginsWith: "Auto")))
        let both = try await count(isHealth || isWatch)
        #expect(all == 60 && health + others == all)
        #expect(health + watch + app == all && health + watch == both)
        #expect(try await count(.source(.any)) == all)
        for sample in try await store.samples(type, where: isHealth).all() {
            #expect(sample.sourceName == "Health" && sample.source?.bundleIdentifier == nil)
        }
    }

    @Test("for bundle identifiers are an error in every store, even one without samples", arguments: [0, 3])
    func stores(count: Int) async throws {
        var random = SplitMix64(seed: UInt64(count))
        let store = store(&random, count: count)
        let predicate = !SamplePredicate.source(.healthApp)
        let samples = store.samples(SampleType<QuantitySample>.heartRate, where: predicate)
        await #expect(throws: HealthStoreError(.missingBundleIdentifier)) { try await samples.all() }
        await #expect(throws: HealthStoreError(.missingBundleIdentifier)) { try await samples.count() }
        await #expect(throws: HealthStoreError(.missingBundleIdentifier)) { try await samples.first() }
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
        #expect(throws: HealthStoreError(.missingBundleIdentifier)) {
            try SourceFilter.healthApp.matches(source)
        }
        #expect(try SourceFilter.named("Health").matches(source))
        #expect(SamplePredicate.source(.healthApp).needsBundleIdentifier)
        #expect((!SamplePredicate.source(.healthApp) || .wasUserEntered).needsBundleIdentifier)
    }
}
