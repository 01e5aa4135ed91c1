import CivilTime

/// A pass over samples in the order of their starts that returns them day by day.
///
/// It keeps only the samples of the current day and those that reach beyond it.
struct DaySweep: Sendable {
    /// A sample; times are seconds since 1970.
    struct Item: Sendable {
        let start: Int
        /// When it ends; its start if it is a measurement at one instant.
        var end: Int
        let value: Double
        /// The number of its source.
        let source: Int
    }

    /// A day with all samples that lie in it, in whole or in part.
    struct Day {
        /// Days since 1970-01-01.
        let number: Int
        let range: Range<Int>
        let items: [Item]
    }

    let rule: Days
    private var pending: [Item] = []
    private var current: (number: Int, range: Range<Int>) = (.min, 0..<0)

    init(_ rule: Days) { self.rule = rule }

    /// Adds a sample, which starts no earlier than the one before.
    ///
    /// - Parameter body: Called with each day that is complete.
    mutating func append(_ item: Item, _ body: (Day) -> Void) {
        finish(before: item.start, body)
        if pending.isEmpty { seek(item.start) }
        pending.append(item)
    }

    /// Completes all days that end before an instant.
    mutating func finish(before instant: Int = .max, _ body: (Day) -> Void) {
        while !pending.isEmpty, instant >= current.range.upperBound {
            body(Day(number: current.number, range: current.range, items: pending))
            pending.removeAll { $0.end <= current.range.upperBound }
            seek(current.range.upperBound)
        }
    }

    private mutating func seek(_ instant: Int) {
        guard !current.range.contains(instant) else { return }
        let number = rule.dayNumber(of: instant)
        current = (number, rule.start(ofDay: number)..<rule.start(ofDay: number + 1))
    }
}
