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
