import HealthModel
import SampleBatches

/// Checks a batch against the query that gave it.
struct BatchCheck {
    /// What is wrong.
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
            "is of a type that was not asked for")
        checkSamples()
    }

    private mutating func expect(_ holds: Bool, _ problem: String) {
        if !holds { problems.append("\(batch.key): \(problem)") }
    }

    private mutating func checkSamples() {
        let samples = batch.samples
        expect(samples.count == batch.count, "has another number of samples than it says")
        let rule = query.batchSize.rule(forType: batch.key.type)
        let starts = samples.compactMap(\.startDate)
        // An activity summary has a day and no start.
        expect(
            starts.allSatisfy { rule.name(of: rule.span(of: $0.seconds)) == batch.key.span },
            "holds a sample that starts in another span")
        expect(starts.allSatisfy { query.covers(start: $0) }, "holds a sample that was not asked for")
        if let first = batch.first, !starts.isEmpty {
            expect(starts.map(\.seconds).min() == first.seconds, "begins at another time than it says")
        }
        let positions = samples.map(\.position)
        expect(positions == positions.sorted(), "is not in the order of the source")
    }
}
