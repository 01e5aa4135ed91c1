import ByteText
import HealthArchive
import HealthModel
import SampleBatches
import SystemIO

extension IncrementPlan {
    /// Returns a sign that the newest export is of another person or phone than the archive; nil if there is none.
    func foreignSign() throws -> ForeignSign? {
        try held.subjectFacts().sign(of: found.subjectFacts()) {
            try keptShare(enough: SampleOverlap.leastShare)
        }
    }
}

extension StoredExport {
    fileprivate func subjectFacts() throws -> SubjectFacts {
        SubjectFacts(try Inspector.characteristics(of: self), sources: manifest.sources)
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
            var samples = IdentityCounts()
            try found.forEach(of: change.found) { samples.add($0) }
            try held.forEach(of: change.held) { batch in
                samples.remove(batch) { _, fate in if fate != .gone { kept += 1 } }
            }
        }
        return Double(kept) / Double(all)
    }
}
