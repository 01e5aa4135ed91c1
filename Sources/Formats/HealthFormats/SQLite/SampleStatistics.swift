import SampleBatches

/// The statistics of samples of one type and unit, without exact copies.
struct SampleStatistics: Sendable {
    var count = 0
    var copies = 0
    /// Number of samples that have a value.
    var values = 0
    var sum = 0.0
    var minimum = Double.infinity
    var maximum = -Double.infinity
    /// The earliest and the latest start, in seconds since 1970.
    var first = Int.max
    var last = Int.min

    @inline(__always)
    mutating func add(_ row: DatabaseRows.SampleRow, isCopy: Bool) {
        guard !isCopy else {
            copies += 1
            return
        }
        count += 1
        if let start = row.start {
            first = min(first, start)
            last = max(last, start)
        }
        guard let value = row.value else { return }
        values += 1
        sum += value
        minimum = min(minimum, value)
        maximum = max(maximum, value)
    }

    /// Adds the statistics of further samples.
    mutating func add(_ other: SampleStatistics) {
        count += other.count
        copies += other.copies
        values += other.values
        sum += other.sum
        minimum = min(minimum, other.minimum)
        maximum = max(maximum, other.maximum)
        first = min(first, other.first)
        last = max(last, other.last)
    }
}

/// Finds exact copies of samples; a copy has the same start, and thus lies in the same span.
struct CopyDetection: Sendable {
    private var span: SampleBatch.Key?
    /// The identities in the first part of the span, until a second part begins.
    private var first: [UInt128] = []
    private var seen: Set<UInt128> = []

    /// Starts a batch; the batches of a span must be consecutive.
    ///
    /// - Parameter identities: The identities of its samples.
    /// - Returns: Whether the batch may contain copies of samples in earlier parts.
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

    /// Returns whether a sample of a later part is a copy of an earlier sample in the span.
    mutating func isCopy(_ identity: UInt128) -> Bool { !seen.insert(identity).inserted }

    /// Returns which samples of a batch are copies of earlier ones in it; empty if there are none.
    static func copies(in identities: [UInt128]) -> [Bool] {
        var seen = Set<UInt128>(minimumCapacity: identities.count)
        let copies = identities.map { !seen.insert($0).inserted }
        return seen.count == identities.count ? [] : copies
    }
}
