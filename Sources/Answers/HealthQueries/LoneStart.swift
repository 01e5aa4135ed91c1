import ByteText

/// What lies far before everything else, such as a sample of a device whose clock began in 1970, or a single one from long
/// ago.
///
/// It counts like all else; but of a time that begins with it, most would be empty. So axes, and the days of which a share has
/// data, begin with the rest. At most three intervals are far before the rest: if the rest begins more than two years after the
/// start of the last of them, and later than all the time from there on is long, and they have at most a tenth as many samples
/// as the rest.
package struct LoneStart: Sendable, Equatable {
    /// The number of intervals.
    package let intervals: Int
    /// The number of their samples, or of whatever was counted.
    package let count: Int
    /// When the first and the last of them start, in seconds since 1970.
    package let starts: ClosedRange<Int>
    /// When the rest starts.
    package let rest: Int

    /// An interval with data: from when to when, in seconds since 1970, and how many samples it has.
    package typealias Interval = (start: Int, end: Int, count: Int)

    private static let most = 3
    private static let shortestGap = 2 * 366 * 86400

    /// Finds the intervals far before the rest; nil if there are none.
    ///
    /// - Parameter found: Intervals in any order.
    package init?(_ found: [Interval]) {
        let sorted = found.sorted { $0.start < $1.start }
        guard let end = sorted.last?.end else { return nil }
        let total = sorted.reduce(0) { $0 + $1.count }
        for number in stride(from: min(Self.most, sorted.count - 1), to: 0, by: -1) {
            let (before, rest) = (sorted[number - 1], sorted[number].start)
            let count = sorted[..<number].reduce(0) { $0 + $1.count }
            let gap = rest - before.start
            guard gap > max(Self.shortestGap, end - rest), count <= (total - count) / 10 else { continue }
            (intervals, self.count, self.rest) = (number, count, rest)
            starts = sorted[0].start...before.start
            return
        }
        return nil
    }

    /// Returns a note on it.
    ///
    /// - Parameters:
    ///   - noun: What was counted, in the singular.
    ///   - label: Returns the label of the interval that starts at a time.
    package func note(_ noun: String, _ label: (Int) -> String) -> String {
        let (first, last) = (label(starts.lowerBound), label(starts.upperBound))
        let times = first == last ? "of \(first)" : "of \(first) to \(last)"
        return count == 1
            ? "1 \(noun) \(times) lies far before the rest; it sets no axis"
            : "\(count) \(noun)s \(times) lie far before the rest; they set no axis"
    }
}

extension [StatisticsResult] {
    /// The intervals of statistics that lie far before the rest; nil if there are none.
    package var loneStart: LoneStart? {
        LoneStart(flatMap { result in result.intervals.map { ($0.start.seconds, $0.end.seconds, $0.count) } })
    }
}
