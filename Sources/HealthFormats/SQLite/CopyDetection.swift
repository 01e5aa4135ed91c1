import SampleBatches

/// Finds samples that are exact copies of others: they have the same start and lie in the same span.
struct CopyDetection: Sendable {
    private var span: SampleBatch.Key?
    /// The identities in the first part of the span, until there is a second one.
    private var first: [UInt128] = []
    private var seen: Set<UInt128> = []

    /// Starts a batch; those of one span follow each other.
    ///
    /// - Parameter identities: Those of its samples.
    /// - Returns: Whether copies of samples in earlier parts have to be looked for.
    mutating func begin(_ key: SampleBatch.Key, _ identities: [UInt128]) -> Bool {
        var span = key
        span.part = 0
        if span != self.span {
            self.span = span
            seen.removeAll(keepingCapacity: true)
            first = identities
            return false
        }
        seen.formUnion(first)
        first = []
        return true
    }

    /// Whether a sample of a further part is a copy of one in an earlier part.
    mutating func isCopy(_ identity: UInt128) -> Bool { !seen.insert(identity).inserted }

    /// Returns which samples of a batch are copies of others in it; empty if none is.
    static func copies(in identities: [UInt128]) -> [Bool] {
        var seen = Set<UInt128>(minimumCapacity: identities.count)
        let copies = identities.map { !seen.insert($0).inserted }
        return seen.count == identities.count ? [] : copies
    }
}
