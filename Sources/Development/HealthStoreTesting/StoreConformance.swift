import ByteText
public import HealthModel
public import SampleBatches

/// Checks that a store conforms to the contract of ``HealthStore``.
///
/// It needs no test framework. Each check returns the problems found, one line each:
///
/// ```swift
/// @Test func conformance() async throws {
///     #expect(try await StoreConformance(MyStore()).problems() == [])
/// }
/// ```
///
/// The store must contain at least two samples with a start.
public struct StoreConformance: Sendable {
    let store: any HealthStore

    /// Creates a check of a store.
    public init(_ store: any HealthStore) { self.store = store }

    /// The batch sizes used in the checks: all kinds of spans, some with few rows.
    public static let batchSizes: [BatchOptions] = [
        .automatic, .byYear, .calendarComponent(.week, multiplier: 2), .calendarComponent(.hour),
        .byMonth.limited(toRows: 1), .byYear.limited(toRows: 7), BatchOptions(span: .every(.all)),
    ]

    /// Runs all checks.
    ///
    /// - Returns: The problems found; empty for a store that conforms to the contract.
    /// - Throws: Any error that the store throws.
    public func problems() async throws -> [String] {
        var problems = try await contents()
        problems += try await unknownTypes()
        for size in Self.batchSizes { problems += try await repetition(BatchQuery(batchSize: size)) }
        problems += try await concurrentPasses(BatchQuery(batchSize: .byMonth))
        problems += try await adjoiningRanges(.automatic)
        problems += try await adjoiningRanges(.calendarComponent(.day, multiplier: 3).limited(toRows: 5))
        problems += try await SpanCheck(store: store).problems()
        problems += await cancellation()
        return problems
    }

    /// Checks each batch of a query, and returns the samples by position.
    ///
    /// - Parameter problems: Receives the problems found in the batches.
    /// - Throws: Any error that the store throws.
    public func samples(_ query: BatchQuery, _ problems: inout [String]) async throws -> [Int: AnySample] {
        var found: [Int: AnySample] = [:]
        for batch in try await batches(query, &problems) {
            for sample in batch.samples where found.updateValue(sample, forKey: sample.position) != nil {
                problems.append("\(batch.key): a sample is in two batches")
            }
        }
        return found
    }

    private func batches(_ query: BatchQuery, _ problems: inout [String]) async throws -> [SampleBatch] {
        var found: [SampleBatch] = []
        for try await batch in store.batches(query) {
            problems += BatchCheck(batch, query).problems
            found.append(batch)
        }
        problems += SpanCheck.order(found, false)
        var parts: [SampleBatch.Key: [Int]] = [:]
        for batch in found {
            var span = batch.key
            span.part = 0
            parts[span, default: []].append(batch.key.part)
        }
        for (span, numbers) in parts where numbers != Array(1...numbers.count) {
            problems.append("\(span): its parts are numbered \(numbers)")
        }
        return found
    }

    /// Checks that two adjacent ranges together return the samples of the whole range, each exactly once.
    private func adjoiningRanges(_ size: BatchOptions) async throws -> [String] {
        var problems: [String] = []
        let whole = try await samples(BatchQuery(batchSize: size), &problems)
        let starts = whole.values.compactMap { $0.startDate?.seconds }.sorted()
        guard starts.count > 1 else { return problems + ["contains fewer than two samples with a start"] }
        // On, before and after the start of a sample, and at the end of a span.
        let middle = starts[starts.count / 2]
        let edge = size.rule(forType: "").range(around: middle)?.upperBound ?? middle
        for cut in [middle - 1, middle, middle + 1, edge, starts[0], starts[starts.count - 1] + 1] {
            let cut = Timestamp(seconds: cut, offsetMinutes: 0)
            let before = try await samples(BatchQuery(to: cut, batchSize: size), &problems)
            let after = try await samples(BatchQuery(from: cut, batchSize: size), &problems)
            if before.merging(after, uniquingKeysWith: { first, _ in first }) != whole {
                problems.append("what starts before \(cut) and what starts then or later are not the whole")
            }
            if before.count + after.count != whole.count {
                problems.append("a sample starts before \(cut) and not before it")
            }
        }
        return problems
    }

    /// Checks that the same query returns the same batches, and that they match the plan.
    private func repetition(_ query: BatchQuery) async throws -> [String] {
        var problems: [String] = []
        let first = try await batches(query, &problems).map { PlannedBatch($0) }
        let second = try await batches(query, &problems).map { PlannedBatch($0) }
        if first != second { problems.append("a repeated query returned different batches") }
        if try await store.plan(query) != first { problems.append("the plan is not what the query gives") }
        return problems
    }

    /// Checks that concurrent passes do not affect each other.
    private func concurrentPasses(_ query: BatchQuery) async throws -> [String] {
        var problems: [String] = []
        let alone = try await samples(query, &problems)
        let plan = try await store.plan(query)
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    var ignored: [String] = []
                    return try await samples(query, &ignored) == alone
                }
                group.addTask { try await store.plan(query) == plan }
            }
            for try await isSame in group where !isSame {
                problems.append("passes at the same time give something else than one alone")
            }
        }
        return problems
    }

    private func contents() async throws -> [String] {
        var problems: [String] = []
        let contents = try await store.contents()
        let identifiers = contents.types.map { ExactName($0.type.identifier) }
        if identifiers != Set(identifiers).sorted() {
            problems.append("the types are not sorted, or named twice")
        }
        if identifiers.isEmpty { problems.append("there are no types") }
        for extent in contents.types {
            var found = TypeExtent(type: extent.type)
            for try await batch in store.batches(BatchQuery(types: [extent.type])) {
                found.add(count: batch.count, first: batch.first, last: batch.last)
            }
            if found.count != extent.count || found.first?.seconds != extent.first?.seconds
                || found.last?.seconds != extent.last?.seconds
            {
                problems.append("\(extent.type.identifier): the contents say something else than the batches")
            }
        }
        if try await store.fingerprint().compare(contents.fingerprint) != .same {
            problems.append("the fingerprint is not that of the contents")
        }
        if try await store.contents() != contents { problems.append("the contents differ when read again") }
        return problems
    }

    private func unknownTypes() async throws -> [String] {
        var problems: [String] = []
        let type = AnySampleType("HKQuantityTypeIdentifierOfTomorrow")
        for query in [BatchQuery(types: [type]), BatchQuery(types: [])]
        where try await !batches(query, &problems).isEmpty {
            problems.append("a type that is not there has batches")
        }
        if try await store.oldestDate(of: SampleType(type)) != nil {
            problems.append("a type that is not there has a date")
        }
        return problems
    }

    /// Checks that planning in a cancelled task throws `CancellationError`; ``BatchSequence`` takes care of batches.
    private func cancellation() async -> [String] {
        let planning = Task {
            while !Task.isCancelled { await Task.yield() }
            return try await store.plan(BatchQuery())
        }
        planning.cancel()
        switch await planning.result {
        case .failure(is CancellationError): return []
        case .failure: return ["a cancelled task ends with another error than CancellationError"]
        case .success: return ["a cancelled task reads on"]
        }
    }
}
