import HealthArchive
import SampleBatches

/// Counts the samples of a span by what identifies them, to find those that are missing elsewhere.
struct SpanSamples {
    /// How often each sample is there.
    private var counts: [UInt128: Int] = [:]
    /// The days of activity summaries: one that has other values now was updated, and is not another one.
    private var days: Set<Int> = []
    private let hasDays: Bool

    /// Makes an empty count for the rows of an element.
    init(of element: String) { hasDays = element == "ActivitySummary" }

    /// Adds the rows of a batch.
    mutating func add(_ batch: SampleBatch) {
        let identities = RowIdentities(batch)
        batch.forEachBatchRow { row in
            counts[identities.identity(at: row.cell), default: 0] += 1
            if hasDays, let start = row.start { days.insert(start.seconds) }
        }
    }

    /// What has become of a row.
    enum Fate {
        /// It is there.
        case kept
        /// A newer version of it is there.
        case updated
        /// It is not there any more.
        case gone
    }

    /// Takes a row away if it is there.
    mutating func remove(_ row: BatchRow, _ identity: UInt128) -> Fate {
        if let count = counts[identity], count > 0 {
            counts[identity] = count - 1
            return .kept
        }
        return hasDays && row.start.map { days.contains($0.seconds) } ?? false ? .updated : .gone
    }
}
