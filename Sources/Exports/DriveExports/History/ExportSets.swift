/// The exports at a destination as sets: a full one, and those that continue it.
struct ExportSets {
    /// A full export with those that continue it, oldest first.
    struct ExportSet: Equatable {
        var members: [HistoryRecord]

        /// Whether all of it was verified.
        var isGood: Bool { members.allSatisfy(\.isVerified) }
        /// Whether all of it was verified and nothing was missing from its source.
        var isComplete: Bool { members.allSatisfy { $0.result == .done } }
        /// Whether it continues an export that is not in the records.
        var isOrphan: Bool { members.first?.continues != nil }
    }

    /// The sets, newest first.
    let sets: [ExportSet]

    /// Groups records of one destination, oldest first, whose files exist.
    init(_ records: [HistoryRecord]) {
        var sets: [ExportSet] = []
        for record in records where record.hasOutput {
            let owner = sets.firstIndex { set in
                record.continues != nil && set.members.contains { $0.identity == record.continues }
            }
            if let owner {
                sets[owner].members.append(record)
            } else {
                sets.append(ExportSet(members: [record]))
            }
        }
        self.sets = sets.reversed()
    }

    /// Returns the sets to remove to keep this many, in the order of removal, each with its newest member first, so
    /// that the rest can be read at any time.
    ///
    /// Unverified sets are neither counted nor removed. If none of the kept sets is complete, the newest complete one
    /// is kept as well. A set that continues an unknown archive protects everything older.
    ///
    /// - Parameter count: The number of sets to keep, at least 1.
    func surplus(keeping count: Int) -> [[HistoryRecord]] {
        let known = sets.prefix { !$0.isOrphan }.filter(\.isGood)
        let kept = known.prefix(max(1, count))
        var surplus = Array(known.dropFirst(max(1, count)))
        if !kept.contains(where: \.isComplete), let complete = surplus.firstIndex(where: \.isComplete) {
            surplus.remove(at: complete)
        }
        return surplus.reversed().map { $0.members.reversed() }
    }
}
