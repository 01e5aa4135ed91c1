/// Samples of one type as columns, and their order by start.
struct SampleColumns: Sendable {
    private(set) var starts: [Int] = []
    /// The lengths in seconds, zero for measurements at one instant.
    var lengths: [Int] = []
    private(set) var values: [Double] = []
    private(set) var sources: [UInt16] = []
    /// The indices of the samples by start, then by length and value: the same order in every export of a phone.
    private(set) var order: [UInt32] = []

    var count: Int { starts.count }

    mutating func reserveCapacity(_ count: Int) {
        starts.reserveCapacity(count)
        lengths.reserveCapacity(count)
        values.reserveCapacity(count)
        sources.reserveCapacity(count)
    }

    mutating func append(start: Int, length: Int, value: Double, source: Int) {
        starts.append(start)
        lengths.append(length)
        values.append(value)
        sources.append(UInt16(clamping: source))
    }

    mutating func sort() {
        var order = Array(0..<UInt32(count))
        let isSorted = (1..<max(1, count)).allSatisfy { !precedes($0, $0 - 1) }
        if !isSorted { order.sort { precedes(Int($0), Int($1)) } }
        self.order = order
    }

    private func precedes(_ left: Int, _ right: Int) -> Bool {
        if starts[left] != starts[right] { return starts[left] < starts[right] }
        if lengths[left] != lengths[right] { return lengths[left] < lengths[right] }
        return values[left] < values[right]
    }

    func end(_ index: Int) -> Int { starts[index] + lengths[index] }
}
