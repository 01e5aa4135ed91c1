package import HealthModel

/// Sleep sessions made of one sample after another.
///
/// A session is complete when a sample of its source, or of any unless sources are separate, starts after the gap that ends
/// it.
package struct OpenSleepSessions {
    private let threshold: Int
    private let separateBySource: Bool
    /// The samples of the open session of each source, or of all, and the latest end of any.
    private var open: [String: (items: [SleepItem], end: Int)] = [:]
    /// The number of samples in open sessions.
    private var count = 0
    /// The time that is asked for, in seconds since 1970: samples that last too long are counted in it.
    package var range = Int.min..<Int.max
    /// The number of samples in that time, in full or in part, that were ignored because they last too long.
    package private(set) var overlong = 0

    /// The number of samples in open sessions that are kept, which is that of centuries of sleep without an hour awake.
    static let mostSamples = 1 << 19
    /// The number of sessions that are listed, which is that of centuries as well.
    static let mostSessions = 1 << 17

    /// The zones that samples in that time name; nil to read none.
    package var zones: SleepZones?

    /// Starts without samples.
    ///
    /// - Parameters:
    ///   - threshold: The gap that ends a session, in seconds, at least one.
    ///   - separateBySource: Whether each source has its own sessions.
    package init(threshold: Int, separateBySource: Bool = false) {
        self.threshold = max(1, threshold)
        self.separateBySource = separateBySource
    }

    /// Adds a sample that starts no earlier than any before; those without a start are ignored, and so are those that last
    /// longer than ``SleepSession/longestSample``.
    ///
    /// - Returns: The session that it shows to be complete, if there is one.
    /// - Throws: ``QueryError`` for a sample of another type, or if open sessions have too many samples.
    package mutating func add(_ sample: CategorySample) throws(QueryError) -> SleepSession? {
        guard sample.sampleType == .sleepAnalysis else { throw QueryError(.notSleep, sample.sampleType) }
        guard let item = SleepItem(sample) else { return nil }
        let isAskedFor = item.start < range.upperBound && item.end > range.lowerBound
        guard !item.isOverlong else {
            if isAskedFor { overlong += 1 }
            return nil
        }
        if isAskedFor { zones?.add(sample, start: item.start) }
        guard count < Self.mostSamples else { throw QueryError(.tooManySessions, .sleepAnalysis) }
        return add(item)
    }

    mutating func add(_ item: SleepItem) -> SleepSession? {
        let source = separateBySource ? item.sample.sourceName ?? "" : ""
        var complete: SleepSession?
        var session = open.removeValue(forKey: source) ?? ([], item.end)
        // Samples exactly the threshold apart are in different sessions.
        if item.start - session.end >= threshold {
            complete = Self.session(session.items)
            count -= session.items.count
            session = ([], item.end)
        }
        session.items.append(item)
        session.end = max(session.end, item.end)
        open[source] = session
        count += 1
        return complete
    }

    /// Returns the sessions that are open after the last sample.
    package mutating func finish() -> [SleepSession] {
        defer { (open, count) = ([:], 0) }
        return open.values.compactMap { Self.session($0.items) }
    }

    private static func session(_ items: [SleepItem]) -> SleepSession? {
        // The result must not depend on the order of samples that start together.
        SleepSession(
            items.sorted { left, right in
                if left.start != right.start { return left.start < right.start }
                if left.end != right.end { return left.end < right.end }
                return left.sample.id < right.sample.id
            })
    }
}
