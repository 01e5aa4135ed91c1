import CivilTime

/// Sums by day and source.
struct DayTally {
    private struct Entry {
        let source: Int
        var value = 0.0
        var seconds = 0
        var n = 0
        /// The sample that was added last.
        var last = -1
    }

    private let days: Days
    private var entries: [Int: [Entry]] = [:]
    /// The day of the previous part.
    private var current: (number: Int, range: Range<Int>) = (.min, 0..<0)

    init(_ days: Days) { self.days = days }

    /// Adds a part of a sample, split at midnight.
    ///
    /// - Parameters:
    ///   - index: The number of the sample; the parts of a sample are added one after the other.
    ///   - source: The number of its source.
    ///   - from: When the part starts.
    ///   - to: When it ends.
    ///   - value: Returns the value of a number of seconds.
    mutating func add(_ index: Int, _ source: Int, _ from: Int, _ to: Int, _ value: (Int) -> Double) {
        var start = from
        repeat {
            seek(start)
            let end = min(to, current.range.upperBound)
            var found = entries.removeValue(forKey: current.number) ?? []
            let place = found.firstIndex { $0.source == source } ?? found.count
            if place == found.count { found.append(Entry(source: source)) }
            found[place].value += value(end - start)
            found[place].seconds += end - start
            if found[place].last != index { found[place].n += 1 }
            found[place].last = index
            entries[current.number] = found
            start = end
        } while start < to
    }

    private mutating func seek(_ instant: Int) {
        guard !current.range.contains(instant) else { return }
        let number = days.dayNumber(of: instant)
        current = (number, days.start(ofDay: number)..<days.start(ofDay: number + 1))
    }

    /// Returns the amounts by day.
    ///
    /// - Parameters:
    ///   - sources: The sources.
    ///   - ranks: Their ranks, which decide the order of the sum.
    ///   - keepsGreatest: Whether only the source with the greatest sum of the day counts.
    ///   - isCovered: Whether the amounts state the time that they cover.
    func amounts(
        _ sources: SourceList, ranks: [Int], keepsGreatest: Bool, isCovered: Bool
    ) -> [Int: Amount] {
        var lists: [[String]: [String]] = [:]
        return entries.mapValues { entries in
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
            let names = own.map { sources.sources[$0.source].name }.sorted()
            let shared = lists[names] ?? names
            lists[names] = shared
            return Amount(
                value: own.reduce(0) { $0 + $1.value }, n: own.reduce(0) { $0 + $1.n },
                coveredSeconds: isCovered ? own.reduce(0) { $0 + $1.seconds } : nil, sources: shared)
        }
    }
}
