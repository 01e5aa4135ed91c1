import CivilTime
package import SampleBatches

/// Counts the samples of a span by identity, to find those of another export that are missing.
package struct SampleCounts {
    /// The number of occurrences of each sample.
    private var counts: [UInt128: Int] = [:]
    /// The days of activity summaries; a summary with other values was updated, and is not a different one.
    private var days: Set<Int> = []
    private let hasDays: Bool

    /// Makes an empty count for the rows of an element.
    package init(of element: String) { hasDays = element == "ActivitySummary" }

    /// Adds the rows of a batch.
    package mutating func add(_ batch: SampleBatch) {
        let identities = RowIdentities(batch)
        batch.forEachBatchRow { row in
            counts[identities.identity(at: row.cell), default: 0] += 1
            if hasDays, let start = row.start { days.insert(start.seconds) }
        }
    }

    /// The fate of a row.
    package enum Fate {
        /// It still exists.
        case kept
        /// A newer version of it exists.
        case updated
        /// It no longer exists.
        case gone
    }

    /// Removes a row if it exists, and returns its fate.
    package mutating func remove(_ row: BatchRow, _ identity: UInt128) -> Fate {
        if let count = counts[identity], count > 0 {
            counts[identity] = count - 1
            return .kept
        }
        return hasDays && row.start.map { days.contains($0.seconds) } ?? false ? .updated : .gone
    }
}
