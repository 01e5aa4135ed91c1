/// The time covered by sources of higher priority, as sorted intervals that neither overlap nor touch.
package struct CoveredTime: Sendable {
    private var starts: [Int] = []
    private var ends: [Int] = []
    /// The first interval that ends after the start of the last requested sample.
    private var place = 0

    /// Creates time of which nothing is covered.
    package init() {}

    /// Restarts from the beginning, for the samples of another source.
    package mutating func rewind() { place = 0 }

    /// Calls `body` with each uncovered part of an interval.
    ///
    /// Intervals must be passed in the order of their starts. An empty interval is covered if it is inside a covered
    /// one.
    @inline(__always)
    package mutating func forEachGap(_ start: Int, _ end: Int, _ body: (Int, Int) -> Void) {
        while place < starts.count, ends[place] <= start { place += 1 }
        var (cursor, next) = (start, place)
        if start == end {
            if next == starts.count || starts[next] > start { body(start, end) }
            return
        }
        while cursor < end {
            guard next < starts.count, starts[next] < end else {
                body(cursor, end)
                return
            }
            if starts[next] > cursor { body(cursor, starts[next]) }
            cursor = max(cursor, ends[next])
            next += 1
        }
    }

    /// Adds covered intervals, which must be sorted by start.
    package mutating func cover(_ others: [(start: Int, end: Int)]) {
        var merged = CoveredTime()
        var (mine, theirs) = (0, 0)
        while mine < starts.count || theirs < others.count {
            if theirs == others.count || mine < starts.count && starts[mine] <= others[theirs].start {
                merged.append(starts[mine], ends[mine])
                mine += 1
            } else {
                merged.append(others[theirs].start, others[theirs].end)
                theirs += 1
            }
        }
        self = merged
    }

    private mutating func append(_ start: Int, _ end: Int) {
        guard start < end else { return }
        if let last = ends.last, start <= last {
            ends[ends.count - 1] = max(last, end)
        } else {
            starts.append(start)
            ends.append(end)
        }
    }
}

extension CoveredTime {
    /// Calls `body` with each part of a sample that no source of a higher priority covers, by rank and start.
    ///
    /// - Parameters:
    ///   - samples: The numbers of the samples, in the order of their starts.
    ///   - rank: Returns the rank of a sample's source; 0 has the highest priority.
    ///   - time: Returns the start and the end of a sample.
    ///   - body: Receives the number of a sample, and the start and the end of a part of it.
    @inline(__always)
    package static func forEachUncoveredPart(
        of samples: [Int], rank: (Int) -> Int, time: (Int) -> (start: Int, end: Int),
        _ body: (Int, Int, Int) -> Void
    ) {
        let ranks = samples.map(rank)
        var byRank = places(byRank: ranks)[...]
        var covered = CoveredTime()
        while let first = byRank.first {
            let own = byRank.prefix { ranks[$0] == ranks[first] }
            byRank = byRank.dropFirst(own.count)
            covered.rewind()
            var times: [(start: Int, end: Int)] = []
            times.reserveCapacity(own.count)
            for place in own {
                let (start, end) = time(samples[place])
                times.append((start, end))
                covered.forEachGap(start, end) { from, to in body(samples[place], from, to) }
            }
            // What the last source covers is covered for no other.
            if !byRank.isEmpty { covered.cover(times) }
        }
    }

    /// The number of ranks up to which their places are counted.
    private static let fewRanks = 256

    /// Returns the places of ranks, the smallest rank first and equal ones in their order.
    private static func places(byRank ranks: [Int]) -> [Int] {
        guard let greatest = ranks.max(), ranks.allSatisfy({ $0 >= 0 }), greatest < fewRanks else {
            return ranks.indices.sorted { (ranks[$0], $0) < (ranks[$1], $1) }
        }
        // The place of the first of each rank, then of the next one.
        var next = [Int](repeating: 0, count: greatest + 2)
        for rank in ranks { next[rank + 1] += 1 }
        for rank in next.indices.dropFirst() { next[rank] += next[rank - 1] }
        var places = [Int](repeating: 0, count: ranks.count)
        for (place, rank) in ranks.enumerated() {
            places[next[rank]] = place
            next[rank] += 1
        }
        return places
    }
}
