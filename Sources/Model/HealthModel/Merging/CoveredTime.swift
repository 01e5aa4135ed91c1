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
