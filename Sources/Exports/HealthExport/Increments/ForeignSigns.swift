import ArchiveManifest
import ArchiveReading
import ByteSpans
import HealthModel
import SampleBatches
import SystemIO

extension ForeignSign {
    /// The smallest share of an archive's samples expected in the next export of the same phone.
    private static let leastShare = 0.1

    /// Looks for a sign; returns nil if there is none.
    init?(_ plan: IncrementPlan) throws {
        let (before, after) = (
            try Inspector.characteristics(of: plan.held), try Inspector.characteristics(of: plan.found)
        )
        if let mine = before.dateOfBirth, let theirs = after.dateOfBirth, mine != theirs {
            self = .person
        } else if let mine = before.biologicalSex, let theirs = after.biologicalSex, mine != theirs,
            mine != .notSet, theirs != .notSet
        {
            self = .person
        } else if case let mine = Set(plan.held.manifest.sources),
            case let theirs = Set(plan.found.manifest.sources),
            !mine.isEmpty, !theirs.isEmpty, mine.isDisjoint(with: theirs)
        {
            self = .sources
        } else if try plan.keptShare(enough: Self.leastShare) < Self.leastShare {
            self = .samples
        } else {
            return nil
        }
    }
}

extension IncrementPlan {
    /// Returns the share of the archive's samples that the newest export has, or a smaller one once it is enough.
    fileprivate func keptShare(enough: Double) throws -> Double {
        let changed = Dictionary(changes.map { ($0.key, $0) }) { first, _ in first }
        let spans = held.manifest.spans.filter { Manifest.isSample($0.key.element) }
        let all = spans.total(\.identity.count)
        guard all > 0 else { return 1 }
        var kept = spans.total { changed[$0.key] == nil ? $0.identity.count : 0 }
        for span in spans where Double(kept) < enough * Double(all) {
            guard let change = changed[span.key] else { continue }
            var samples = SampleCounts(of: span.key.element)
            try found.forEach(of: change.found) { samples.add($0) }
            try held.forEach(of: change.held) { batch in
                let identities = RowIdentities(batch)
                batch.forEachBatchRow { row in
                    if samples.remove(row, identities.identity(at: row.cell)) != .gone { kept += 1 }
                }
            }
        }
        return Double(kept) / Double(all)
    }
}
