public import CivilTime
public import HealthModel

/// An error thrown for a sample that is not a sleep sample.
public struct NotSleep: Error, Sendable, Equatable, CustomStringConvertible {
    /// The type of the sample.
    public let type: AnySampleType

    /// What happened, in a printable line.
    public var description: String { "a sample of \(type.printableName) is not a sample of sleep" }
}

extension Sequence<CategorySample> {
    /// Groups the samples into sleep sessions, in chronological order.
    ///
    /// Samples less than the threshold apart are in one session, in whatever order they are given. Samples without a
    /// start are ignored.
    ///
    /// - Parameters:
    ///   - threshold: The gap that ends a session, in seconds, at least one; by default an hour.
    ///   - separateBySource: Whether each source has its own sessions.
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
        // The result must not depend on the order of the input.
        let sorted = items.sorted { left, right in
            if left.start != right.start { return left.start < right.start }
            if left.end != right.end { return left.end < right.end }
            return left.sample.id < right.sample.id
        }
        var sessions: [SleepSession] = []
        var current: [SleepItem] = []
        var end = Int.min
        for item in sorted {
            // Samples exactly the threshold apart are in different sessions.
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
    /// Returns the sleep sessions that end in a time range, in chronological order.
    ///
    /// A session belongs to the day on which it ends, and is always complete: it includes samples before the range.
    ///
    /// - Parameters:
    ///   - range: The time range.
    ///   - threshold: The gap that ends a session, in seconds, at least one; by default an hour.
    ///   - separateBySource: Whether each source has its own sessions.
    ///   - predicate: A condition that samples must meet.
    ///   - days: The rule for days; nil for the store's rule.
    /// - Throws: `SourceFilter.MissingBundleIdentifier`; an error if the store cannot be read.
    @concurrent public func sleepSessions(
        in range: QueryTimeRange = .ever, threshold: Int = 3600, separateBySource: Bool = false,
        where predicate: SamplePredicate = .all, days: Days? = nil
    ) async throws -> [SleepSession] {
        // Sleep is one of the smaller types, so all of it is read to keep sessions complete.
        let samples = try await samples(.sleepAnalysis, where: predicate).all()
        let sessions = try samples.splitIntoSleepSessions(
            threshold: threshold, separateBySource: separateBySource)
        guard !range.isUnlimited else { return sessions }
        let wanted = range.resolved(in: try await contents(), days: days)
        return sessions.filter { wanted.contains($0.end.seconds) }
    }
}
