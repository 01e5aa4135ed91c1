import HealthModel
import HealthVault

/// Batches that could not be written.
enum FailedBatchText {
    /// So many are named; the rest is counted.
    private static let shown = 20

    static func describe(_ batches: [Manifest.FailedBatch]) -> [String] {
        guard !batches.isEmpty else { return [] }
        let samples = batches.reduce(0) { $0 + $1.count }
        var lines = [
            "warning: " + Quantities.count(batches.count, "batch", plural: "batches") + " with "
                + Quantities.count(samples, "sample") + " could not be written"
        ]
        lines += batches.prefix(shown).map { "not written: " + EntryPath.batch($0.key) }
        if batches.count > shown { lines.append("... and \(batches.count - shown) more") }
        return lines
    }
}
