import ByteText
import HealthModel
import SampleBatches

/// Checks a batch against the query that returned it.
struct BatchCheck {
    /// The problems found.
    private(set) var problems: [String] = []
    private let batch: SampleBatch
    private let query: BatchQuery

    init(_ batch: SampleBatch, _ query: BatchQuery) {
        self.batch = batch
        self.query = query
        expect(batch.count > 0, "is empty")
        expect(batch.count <= query.batchSize.rowLimit, "has more samples than a batch may")
        expect(
            query.covers(element: batch.key.element, type: batch.key.type),
            "is of a type that was not requested")
        checkSamples()
    }

    private mutating func expect(_ holds: Bool, _ problem: String) {
        if !holds { problems.append("\(batch.key): \(problem)") }
    }

    private mutating func checkSamples() {
        let samples = batch.samples
        expect(samples.count == batch.count, "has a different number of samples than its count")
        let rule = query.batchSize.rule(forType: batch.key.type)
        let starts = samples.compactMap(\.startDate)
        // An activity summary has a day but no start.
        expect(
            starts.allSatisfy { rule.name(of: rule.span(of: $0.seconds)) == batch.key.span },
            "contains a sample that starts in another span")
        expect(starts.allSatisfy { query.covers(start: $0) }, "contains a sample that was not requested")
        if let first = batch.first, !starts.isEmpty {
            expect(starts.map(\.seconds).min() == first.seconds, "does not begin at its first start")
        }
        let positions = samples.map(\.position)
        expect(positions == positions.sorted(), "is not in the order of the source")
    }
}
