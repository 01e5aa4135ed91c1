import HealthModel

/// The sums of a day by source.
struct DayTally {
    private struct Entry {
        let source: Int
        var value = 0.0
        var seconds = 0
        var n = 0
        /// The sample that was added last.
        var last = -1
    }

    private var entries: [Entry] = []

    /// Adds a part of a sample.
    ///
    /// - Parameters:
    ///   - index: The number of the sample; the parts of a sample are added one after the other.
    ///   - source: The number of its source.
    ///   - value: The value of the part.
    ///   - seconds: The length of the part.
    mutating func add(_ index: Int, _ source: Int, _ value: Double, seconds: Int) {
        let place = entries.firstIndex { $0.source == source } ?? entries.count
        if place == entries.count { entries.append(Entry(source: source)) }
        entries[place].value += value
        entries[place].seconds += seconds
        if entries[place].last != index { entries[place].n += 1 }
        entries[place].last = index
    }

    /// Returns the amount of the day; nil if nothing was added.
    ///
    /// - Parameters:
    ///   - sources: The sources.
    ///   - ranks: Their ranks, which decide the order of the sum.
    ///   - keepsGreatest: Whether only the source with the greatest sum of the day counts.
    ///   - isCovered: Whether the amount states the time that it covers.
    func amount(
        _ sources: inout SourceList, ranks: [Int], keepsGreatest: Bool, isCovered: Bool
    ) -> Amount? {
        var own = entries.sorted { ranks[$0.source] < ranks[$1.source] }
        if keepsGreatest {
            let greatest = own.max { left, right in
                left.value != right.value
                    ? left.value < right.value
                    : sources.sources[right.source].name.utf8.lexicographicallyPrecedes(
                        sources.sources[left.source].name.utf8)
            }
            own = greatest.map { [$0] } ?? []
        }
        guard !own.isEmpty else { return nil }
        return Amount(
            value: own.reduce(0) { $0 + $1.value }, n: own.reduce(0) { $0 + $1.n },
            coveredSeconds: isCovered ? own.reduce(0) { $0 + $1.seconds } : nil,
            sources: sources.names(of: own.map(\.source)))
    }
}
