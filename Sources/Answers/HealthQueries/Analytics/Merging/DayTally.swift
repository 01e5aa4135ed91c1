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

    /// Adds a part of a sample; those of a sample are added one after the other.
    mutating func add(_ piece: SweptInterval.Piece, of source: Int, _ value: Double) {
        let place = entries.firstIndex { $0.source == source } ?? entries.count
        if place == entries.count { entries.append(Entry(source: source)) }
        entries[place].value += value
        entries[place].seconds += piece.end - piece.start
        if entries[place].last != piece.index { entries[place].n += 1 }
        entries[place].last = piece.index
    }

    /// Returns the sums of the day; nil if nothing was added.
    ///
    /// - Parameters:
    ///   - ranks: The ranks of the sources, which decide the order of the sum.
    ///   - sources: The sources.
    ///   - keepsGreatest: Whether only the source with the greatest sum of the day counts.
    func sum(
        _ ranks: [Int], _ sources: [(name: String, device: Device?)], keepsGreatest: Bool
    ) -> (value: Double, n: Int, seconds: Int, sources: [Int])? {
        var own = entries.sorted { ranks[$0.source] < ranks[$1.source] }
        if keepsGreatest {
            let totals = Dictionary(uniqueKeysWithValues: own.map { ($0.source, $0.value) })
            let greatest = SourcePriority.greatest(of: totals, sources)
            own.removeAll { $0.source != greatest }
        }
        guard !own.isEmpty else { return nil }
        return (
            own.reduce(0) { $0 + $1.value }, own.reduce(0) { $0 + $1.n }, own.reduce(0) { $0 + $1.seconds },
            own.map(\.source)
        )
    }
}
