import ByteText

/// How often each identity occurs, to tell which samples two sides have in common.
public struct IdentityCounts: Sendable {
    private var counts: [UInt128: Int] = [:]
    /// The days of activity summaries; a summary with other values was updated, and is not a different one.
    private var days: Set<Int> = []

    /// Creates an empty count.
    public init() {}

    /// Returns how often an identity occurs.
    public subscript(identity: UInt128) -> Int { counts[identity] ?? 0 }

    /// Adds an identity, and returns how often it had occurred before.
    @discardableResult
    public mutating func add(_ identity: UInt128) -> Int {
        let before = counts[identity] ?? 0
        counts[identity] = before + 1
        return before
    }

    /// Adds the rows of a batch.
    public mutating func add(_ batch: SampleBatch) {
        let identities = RowIdentities(batch)
        batch.forEachBatchRow { row in
            add(identities.identity(at: row.cell))
            if batch.hasDays, let start = row.start { days.insert(start.seconds) }
        }
    }

    /// The fate of a row.
    public enum Fate: Sendable {
        /// It still exists.
        case kept
        /// A newer version of it exists.
        case updated
        /// It no longer exists.
        case gone
    }

    /// Removes each row of a batch that exists, and passes all rows with their fates.
    public mutating func remove(_ batch: SampleBatch, _ body: (BatchRow, Fate) -> Void) {
        let identities = RowIdentities(batch)
        batch.forEachBatchRow { row in
            let identity = identities.identity(at: row.cell)
            guard let count = counts[identity], count > 0 else {
                let isUpdated = batch.hasDays && row.start.map { days.contains($0.seconds) } ?? false
                return body(row, isUpdated ? .updated : .gone)
            }
            counts[identity] = count - 1
            body(row, .kept)
        }
    }

    /// Returns the copies that occur here, but not in another count, sorted: each identity with its ordinal.
    public func copies(missingIn other: IdentityCounts) -> [(identity: UInt128, ordinal: Int)] {
        counts.flatMap { identity, count in
            (min(other[identity], count)..<count).map { (identity, $0) }
        }.sorted { ($0.identity, $0.ordinal) < ($1.identity, $1.ordinal) }
    }
}

extension SampleBatch {
    /// Whether its rows are days, of which an export has the latest values.
    fileprivate var hasDays: Bool { key.element == "ActivitySummary" }
}
