import HealthArchive
import SystemIO

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
        /// The date of the newest export inside; nil if it is not known.
        var exported: OrderedDate? { members.compactMap(\.dateInOrder).max() }

        /// Whether its newest export is later; an unknown time counts as older than any, and equal ones are told apart
        /// by the order in which they were written.
        fileprivate func isNewer(than other: ExportSet) -> Bool {
            guard exported == other.exported else { return exported.isAfter(other.exported) }
            return members.last?.sequence ?? 0 > other.members.last?.sequence ?? 0
        }
    }

    /// What a record is about; folders with the same content have the same identity.
    private struct Output: Hashable {
        let identity: String?
        let path: BytePath?

        init(_ record: HistoryRecord) {
            identity = record.identity
            path = record.path
        }
    }

    /// The sets, newest export first.
    let sets: [ExportSet]

    /// Groups records of one destination, in the order in which they were written, whose files exist.
    ///
    /// Of several records of the same file, the last one counts.
    init(_ records: [HistoryRecord]) {
        var latest: [Output: HistoryRecord] = [:]
        for record in records where record.hasOutput { latest[Output(record)] = record }
        var sets: [ExportSet] = []
        for record in latest.values.sorted(by: { $0.sequence < $1.sequence }) {
            let owner = sets.firstIndex { set in
                record.continues != nil && set.members.contains { $0.identity == record.continues }
            }
            if let owner {
                sets[owner].members.append(record)
            } else {
                sets.append(ExportSet(members: [record]))
            }
        }
        self.sets = sets.sorted { $0.isNewer(than: $1) }
    }

    /// Returns the sets to remove to keep this many, oldest export first.
    ///
    /// The set with the export that was just written always stays. Unverified sets are neither counted nor removed. If
    /// none of the kept sets is complete, the newest complete one is kept as well. A set that continues an unknown
    /// archive protects everything older.
    ///
    /// - Parameters:
    ///   - count: The number of sets to keep, at least 1.
    ///   - record: The export that was just written.
    func surplus(keeping count: Int, after record: HistoryRecord?) -> [ExportSet] {
        let known = sets.prefix { !$0.isOrphan }.filter(\.isGood)
        let kept = known.prefix(max(1, count))
        var surplus = known.dropFirst(max(1, count)).filter { set in
            !set.members.contains { Output($0) == record.map { Output($0) } }
        }
        let staying = known.filter { set in !surplus.contains(set) }
        if !kept.isEmpty, !staying.contains(where: \.isComplete),
            let complete = surplus.firstIndex(where: \.isComplete)
        {
            surplus.remove(at: complete)
        }
        return surplus.reversed()
    }
}

extension HistoryRecord {
    /// The date of the export, for telling which of several is newest; nil if it is not known.
    var dateInOrder: OrderedDate? { exported.map { OrderedDate($0) } }
}
