import SampleBatches

/// Finds samples that are exact copies of others: they have the same start and lie in the same span.
struct CopyDetection: Sendable {
    private var span: SampleBatch.Key?
    private var seen: Set<UInt128> = []

    /// Starts a batch; those of one span follow each other.
    mutating func begin(_ key: SampleBatch.Key) {
        var span = key
        span.part = 0
        guard span != self.span else { return }
        self.span = span
        seen.removeAll(keepingCapacity: true)
    }

    /// Whether a sample is a copy of an earlier one in its span.
    mutating func isCopy(_ identity: UInt128) -> Bool { !seen.insert(identity).inserted }
}
