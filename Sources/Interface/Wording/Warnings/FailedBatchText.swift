import ByteText
package import HealthVault
package import SystemIO

/// Messages about batches that could not be written.
package enum FailedBatchText {
    /// The maximum number of batches to name; the rest is counted.
    private static let shown = 20

    package static func describe(_ batches: [Manifest.FailedBatch]) -> [TerminalText] {
        guard !batches.isEmpty else { return [] }
        let samples = batches.total(\.count)
        let count = Quantities.count(batches.count, "batch", plural: "batches")
        var lines: [TerminalText] = [
            "warning: \(count) with \(Quantities.count(samples, "sample")) could not be written"
        ]
        lines += batches.prefix(shown).map { "not written: \(EntryPath.batch($0.key))" }
        if batches.count > shown { lines.append("... and \(batches.count - shown) more") }
        return lines
    }
}
