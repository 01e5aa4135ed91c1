public import HealthModel
public import SampleBatches

/// A sample is none of sleep.
public struct NotSleep: Error, Sendable, Equatable, CustomStringConvertible {
    /// The type of the sample.
    public let type: AnySampleType

    /// What happened, in a printable line.
    public var description: String { "a sample of \(type.printableName) is none of sleep" }
}

extension Sequence<CategorySample> {
    /// Returns the samples as sessions of sleep, in the order of time.
    ///
    /// Samples with less than the threshold between them are in one session, whatever their order. A sample without a
    /// start is in none.
    ///
    /// - Parameters:
    ///   - threshold: The gap that ends a session, in seconds, at least one; by default an hour.
    ///   - separateBySource: Whether each source has sessions of its own.
    /// - Throws: ``NotSleep`` for a sample of another type.
    public func splitIntoSleepSessions(
        threshold: Int = 3600, separateBySource: Bool = false
    ) throws(NotSleep) -> [SleepSession] {
        var groups: [String: [SleepItem]] = [:]
        for sample in self {
            guard sample.sampleType == .sleepAnalysis else { throw NotSleep(type: sample.sampleType) }
            guard let item = SleepItem(sample) else { continue }
            groups[separateBySource ? sample.sourceName ?? "" : "", default: []].append(item)
        }
        var sessions: [SleepSession] = []
        for items in groups.values { sessions += Self.sessions(items, threshold) }
        return sessions.sorted { left, right in
            left.start.seconds != right.start.seconds
                ? left.start.seconds < right.start.seconds
                : left.sources.lexicographicallyPrecedes(right.sources)
        }
    }

    private static func sessions(_ items: [SleepItem], _ threshold: Int) -> [SleepSession] {
        // The order must not depend on that of the input.
        let sorted = items.sorted { left, right in
            if left.start != right.start { return left.start < right.start }
            if left.end != right.end { return left.end < right.end }
            return left.sample.id < right.sample.id
        }
        var sessions: [SleepSession] = []
        var current: [SleepItem] = []
        var end = Int.min
        for item in sorted {
            // Samples that are exactly the threshold apart stay apart.
            if !current.isEmpty, item.start - end >= Swift.max(1, threshold) {
                if let session = SleepSession(current) { sessions.append(session) }
                current = []
            }
            current.append(item)
            end = Swift.max(end, item.end)
        }
        if let session = SleepSession(current) { sessions.append(session) }
        return sessions
    }
}

extension HealthStore {
    /// Returns the sessions of sleep that end in a time, in the order of time.
    ///
    /// A session belongs to the day on which it ends, and is always whole: what was recorded before the time is part of
    /// it.
    ///
    /// - Parameters:
    ///   - range: The time.
    ///   - threshold: The gap that ends a session, in seconds, at least one; by default an hour.
    ///   - separateBySource: Whether each source has sessions of its own.
    ///   - predicate: What must be true of the samples.
    ///   - days: The rule for days; nil for that of the store.
    /// - Throws: `SourceFilter.MissingBundleIdentifier`; what prevents the store from being read.
    @concurrent public func sleepSessions(
        in range: QueryTimeRange = .ever, threshold: Int = 3600, separateBySource: Bool = false,
        where predicate: SamplePredicate = .all, days: Days? = nil
    ) async throws -> [SleepSession] {
        // Sleep is one of the smaller types: all of it is read, so that no session is cut.
        let samples = try await samples(.sleepAnalysis, where: predicate).all()
        let sessions = try samples.splitIntoSleepSessions(
            threshold: threshold, separateBySource: separateBySource)
        guard !range.isUnlimited else { return sessions }
        let wanted = range.resolved(in: try await contents(), days: days)
        return sessions.filter { wanted.contains($0.end.seconds) }
    }
}
