import HealthModel
import HealthVault
import SampleBatches
import Testing

/// What every store of samples has to do, whoever made it.
struct HealthStoreConformance {
    let store: any HealthStore

    /// All batches of a query, none of which breaks a rule.
    func batches(_ query: SampleQuery) async throws -> [SampleBatch] {
        var found: [SampleBatch] = []
        for try await batch in store.batches(query) {
            #expect(batch.count > 0 && batch.count <= query.batchSize.rowLimit)
            #expect(query.covers(element: batch.key.element, type: batch.key.type))
            try expectOneSpan(batch, query)
            found.append(batch)
        }
        try expectNumberedParts(found)
        return found
    }

    private func expectOneSpan(_ batch: SampleBatch, _ query: SampleQuery) throws {
        let rule = query.batchSize.rule(forType: batch.key.type)
        let samples = Samples(batch)
        #expect(samples.count == batch.count)
        let starts = samples.map(\.startDate)
        for start in starts {
            let span = start.map { rule.span(of: $0.seconds) }
            // An activity summary has a day and no start.
            if let span { #expect(rule.name(of: span) == batch.key.span) }
            if start != nil { #expect(query.covers(start: start)) }
        }
        if let first = batch.first, starts.contains(where: { $0 != nil }) {
            #expect(starts.compactMap { $0?.seconds }.min() == first.seconds)
        }
        #expect(samples.map(\.position) == samples.map(\.position).sorted())
    }

    private func expectNumberedParts(_ batches: [SampleBatch]) throws {
        var parts: [SampleBatch.Key: [Int]] = [:]
        for batch in batches {
            var span = batch.key
            span.part = 0
            parts[span, default: []].append(batch.key.part)
        }
        for numbers in parts.values { #expect(numbers == Array(1...numbers.count)) }
    }

    /// What there is, sample by sample: of each its place in the source and what makes it the same in another store.
    func samples(_ query: SampleQuery) async throws -> [Int: Sample] {
        var found: [Int: Sample] = [:]
        for batch in try await batches(query) {
            for sample in Samples(batch) {
                #expect(found.updateValue(sample, forKey: sample.position) == nil, "each sample once")
            }
        }
        return found
    }

    /// Samples in ranges that adjoin are those of the whole range, each of them in one.
    func expectRangesAdjoin(_ size: BatchOptions) async throws {
        let whole = try await samples(SampleQuery(batchSize: size))
        let starts = whole.values.compactMap { $0.startDate?.seconds }.sorted()
        // On, before and behind the start of a sample, and at the end of a span.
        let middle = starts[starts.count / 2]
        let edge = size.rule(forType: "").range(around: middle)?.upperBound ?? middle
        for cut in [middle - 1, middle, middle + 1, edge, starts[0], starts[starts.count - 1] + 1] {
            let cut = Timestamp(seconds: cut, offsetMinutes: 0)
            let before = try await samples(SampleQuery(to: cut, batchSize: size))
            let after = try await samples(SampleQuery(from: cut, batchSize: size))
            #expect(before.merging(after) { first, _ in first } == whole)
            #expect(before.count + after.count == whole.count)
        }
    }

    func expectStable(_ query: SampleQuery) async throws {
        let first = try await batches(query).map { PlannedBatch($0) }
        #expect(try await batches(query).map { PlannedBatch($0) } == first)
        #expect(try await store.plan(query) == first)
    }

    /// Passes at the same time do not get into each other's way.
    func expectConcurrentPasses(_ query: SampleQuery) async throws {
        let alone = try await samples(query)
        let plan = try await store.plan(query)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    let together = try await samples(query)
                    #expect(together == alone)
                }
                group.addTask {
                    let together = try await store.plan(query)
                    #expect(together == plan)
                }
            }
            try await group.waitForAll()
        }
    }

    func expectContents() async throws {
        let contents = try await store.contents()
        let identifiers = contents.types.map { ExactName($0.type.identifier) }
        #expect(identifiers == Set(identifiers).sorted() && !identifiers.isEmpty)
        for extent in contents.types {
            var found = TypeExtent(type: extent.type)
            for try await batch in store.samples(of: extent.type) {
                found.add(count: batch.count, first: batch.first, last: batch.last)
            }
            #expect(found.count == extent.count, "\(extent.type.identifier)")
            #expect(found.first?.seconds == extent.first?.seconds)
            #expect(found.last?.seconds == extent.last?.seconds)
            #expect(try await store.oldestDate(of: extent.type)?.seconds == extent.first?.seconds)
        }
        #expect(try await store.fingerprint().compare(contents.fingerprint) == .same)
        #expect(try await store.contents() == contents)
    }

    func expectNothingOfUnknownTypes() async throws {
        let type = SampleType.named("HKQuantityTypeIdentifierOfTomorrow")
        #expect(try await batches(SampleQuery(types: [type])).isEmpty)
        #expect(try await batches(SampleQuery(types: [])).isEmpty)
        #expect(try await store.oldestDate(of: type) == nil)
    }
}
