import HealthModel

/// Heart rates on the way to the time for which each applies.
///
/// A measurement at one instant applies until the next of its source, for at most ``TimeWeightedMean/longestGap``; one
/// with a duration for its duration, but no longer than until the next. Measurements of a source at one instant are one, with
/// their mean. Only those that wait for a next one are kept.
struct HeartRateTime: Sendable {
    /// Whether the samples of all sources form one series.
    let isJoint: Bool
    private var waiting: [SweptSample] = []
    /// Number of samples that were removed from the front of those that wait.
    private var removed = 0
    /// The number of each source's latest sample, and the mean of those at its instant.
    private var latest: [Int: (number: Int, instant: InstantMean)] = [:]

    init(isJoint: Bool) { self.isJoint = isJoint }

    /// Adds a sample, which starts no earlier than the one before; of those with the same start, the ones without a duration
    /// come first.
    ///
    /// - Returns: The samples that apply for some time and wait no longer, in the order of their starts.
    mutating func append(_ sample: SweptSample) -> [SweptSample] {
        let source = isJoint ? 0 : sample.source
        if let (number, before) = latest[source], number >= removed {
            var instant = before
            let place = number - removed
            if instant.add(sample.value, start: sample.start, end: sample.end) {
                waiting[place] = SweptSample(
                    start: sample.start, end: waiting[place].end, value: instant.mean,
                    source: waiting[place].source)
                latest[source] = (number, instant)
                return []
            }
            waiting[place].end = min(waiting[place].end, sample.start)
        }
        let done = waiting.prefix { $0.end <= sample.start }
        removed += done.count
        waiting.removeFirst(done.count)
        latest[source] = (
            removed + waiting.count,
            InstantMean(sample.value, start: sample.start, end: sample.end)
        )
        waiting.append(sample)
        if sample.start == sample.end { waiting[waiting.count - 1].end += TimeWeightedMean.longestGap }
        return done.filter { $0.start < $0.end }
    }

    /// Returns the samples that no other follows.
    mutating func finish() -> [SweptSample] {
        defer { (waiting, removed) = ([], removed + waiting.count) }
        return waiting.filter { $0.start < $0.end }
    }
}
