import HealthQueries

/// Heart rates on the way to the time for which each applies.
///
/// A measurement at one instant applies until the next of its source, for at most ``TimeWeightedMean/longestGap``; one
/// with a duration for its duration, but no longer than until the next. Only those that wait for a next one are kept.
struct HeartRateTime: Sendable {
    /// Whether the samples of all sources form one series.
    let isJoint: Bool
    private var waiting: [DaySweep.Item] = []
    /// Number of samples that were removed from the front of those that wait.
    private var removed = 0
    /// The number of each source's latest sample.
    private var latest: [Int: Int] = [:]

    init(isJoint: Bool) { self.isJoint = isJoint }

    /// Adds a sample, which starts no earlier than the one before.
    ///
    /// - Parameter body: Called with samples that apply for some time, in the order of their starts.
    mutating func append(_ item: DaySweep.Item, _ body: (DaySweep.Item) -> Void) {
        let source = isJoint ? 0 : item.source
        if let number = latest[source], number >= removed {
            waiting[number - removed].end = min(waiting[number - removed].end, item.start)
        }
        let isDone = waiting.prefix { $0.end <= item.start }
        for done in isDone where done.start < done.end { body(done) }
        removed += isDone.count
        waiting.removeFirst(isDone.count)
        latest[source] = removed + waiting.count
        waiting.append(item)
        if item.start == item.end { waiting[waiting.count - 1].end += TimeWeightedMean.longestGap }
    }

    /// Calls `body` with the samples that no other follows.
    mutating func finish(_ body: (DaySweep.Item) -> Void) {
        for item in waiting where item.start < item.end { body(item) }
        removed += waiting.count
        waiting = []
    }
}
