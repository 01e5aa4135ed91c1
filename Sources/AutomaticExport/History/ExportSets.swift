/// The exports at a destination as sets: a full one, and those that continue it.
struct ExportSets {
    /// A full export with those that continue it, the oldest first.
    struct ExportSet: Equatable {
        var members: [HistoryRecord]

        /// Whether all of it was verified.
        var isGood: Bool { members.allSatisfy { $0.result == .done || $0.result == .incomplete } }
    }

    /// The sets, the newest first.
    let sets: [ExportSet]

    /// Groups the records of one destination.
    init(_ records: [HistoryRecord], destination: String) {
        var sets: [ExportSet] = []
        let mine = records.filter { $0.destination == destination && $0.hasOutput }
        for record in mine {
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

    /// Returns the records whose files are removed if so many sets are to be kept, in the order of removal.
    ///
    /// What was not verified is neither counted nor removed; of a set the newest member is removed first, so that what
    /// is left can be read at any time.
    ///
    /// - Parameter count: The number of sets to keep, at least 1.
    func surplus(keeping count: Int) -> [HistoryRecord] {
        sets.filter(\.isGood).dropFirst(max(1, count)).reversed().flatMap { $0.members.reversed() }
    }
}
