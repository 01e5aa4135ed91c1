public import ByteText
public import HealthModel

extension Sequence<CategorySample> {
    /// Groups the samples into sleep sessions, in chronological order.
    ///
    /// Samples less than the threshold apart are in one session, in whatever order they are given. Samples without a
    /// start, or that last longer than ``SleepSession/longestSample``, are ignored.
    ///
    /// - Parameters:
    ///   - threshold: The gap that ends a session, in seconds, at least one; by default an hour.
    ///   - separateBySource: Whether each source has its own sessions.
    /// - Throws: ``QueryError`` for a sample of another type.
    public func splitIntoSleepSessions(
        threshold: Int = 3600, separateBySource: Bool = false
    ) throws(QueryError) -> [SleepSession] {
        var items: [SleepItem] = []
        for sample in self {
            guard sample.sampleType == .sleepAnalysis else { throw QueryError(.notSleep, sample.sampleType) }
            if let item = SleepItem(sample), !item.isOverlong { items.append(item) }
        }
        var open = OpenSleepSessions(threshold: threshold, separateBySource: separateBySource)
        let sessions = items.sorted { $0.start < $1.start }.compactMap { open.add($0) } + open.finish()
        return sessions.sorted { $0.isEarlier(than: $1) }
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
    /// - Throws: `HealthStoreError`; ``QueryError`` if a session has too many samples; an error if the store cannot be
    ///   read.
    @concurrent public func sleepSessions(
        in range: QueryTimeRange = .ever, threshold: Int = 3600, separateBySource: Bool = false,
        where predicate: SamplePredicate = .all, days: Days? = nil
    ) async throws -> [SleepSession] {
        try await sleepSessions(
            in: range, where: predicate, days,
            OpenSleepSessions(threshold: threshold, separateBySource: separateBySource), atMost: .max
        ) { $0 }.sessions
    }

    /// Returns the sleep sessions that end in a time range without their samples, which would keep all of them in memory.
    ///
    /// - Parameters: As for ``sleepSessions(in:threshold:separateBySource:where:days:)``.
    /// - Throws: As for it; ``QueryError`` if there are too many sessions.
    @concurrent package func sleepTimes(
        in range: QueryTimeRange = .ever, threshold: Int = 3600, separateBySource: Bool = false,
        where predicate: SamplePredicate = .all, days: Days? = nil
    ) async throws -> SleepTimes {
        try await sleepSessions(
            in: range, where: predicate, days,
            OpenSleepSessions(threshold: threshold, separateBySource: separateBySource),
            atMost: OpenSleepSessions.mostSessions
        ) { $0.withoutSamples() }
    }

    /// Returns what is kept of the sessions of samples that end in a time range, as soon as no later sample can belong to
    /// them.
    private func sleepSessions(
        in range: QueryTimeRange, where predicate: SamplePredicate, _ days: Days?, _ empty: OpenSleepSessions,
        atMost limit: Int, _ kept: (SleepSession) -> SleepSession
    ) async throws -> SleepTimes {
        var open = empty
        var isResolved = false
        var sessions: [SleepSession] = []
        func use(_ session: SleepSession?) throws {
            guard let session, open.range.contains(session.end.seconds) else { return }
            sessions.append(kept(session))
            if sessions.count > limit { throw QueryError(.tooManySessions, .sleepAnalysis) }
        }
        // All samples are read to keep sessions complete.
        for try await samples in self.samples(.sleepAnalysis, where: predicate) {
            // An export that can be read only once tells its contents with the first samples.
            if !isResolved {
                let contents = try await contents()
                open.range = range.resolved(in: contents, days: days)
                if days == nil { open.zones = SleepZones(contents.days) }
                isResolved = true
            }
            for sample in samples { try use(open.add(sample)) }
        }
        for session in open.finish() { try use(session) }
        return SleepTimes(sessions.sorted { $0.isEarlier(than: $1) }, open)
    }
}

extension Sequence<SleepSession> {
    /// Returns the main sleep of each day: the session that ends on it with the most sleep, in chronological order.
    ///
    /// A night that was interrupted for longer than an hour is one only if sessions were split by a longer gap, such as
    /// ``SleepSession/longestInterruption``.
    public func mainSleep(in days: Days) -> [SleepSession] {
        var main: [CivilDate: SleepSession] = [:]
        for session in self where session.timeAsleep > 0 {
            let day = session.day(in: days)
            if let other = main[day],
                (other.timeAsleep, other.start.seconds) > (session.timeAsleep, session.start.seconds)
            {
                continue
            }
            main[day] = session
        }
        return main.values.sorted { $0.end.seconds < $1.end.seconds }
    }
}

/// A sleep session: a night or a nap, as recorded by one or more trackers.
public struct SleepSession: Sendable, Equatable {
    /// The samples, sorted by start.
    public private(set) var samples: [CategorySample]
    /// When the first sample starts.
    public let start: Timestamp
    /// When the session ends: the latest end of any sample.
    public let end: Timestamp
    /// The names of the sources, sorted.
    public let sources: [String]
    /// The names of the sources that recorded sleep, and not only time in bed or awake, sorted.
    public let sleepSources: [String]
    /// The seconds of each stage; of those other than time in bed, one at a time.
    private let times: [SleepAnalysisValue: Int]
    /// The seconds of sleep in any stage, counting overlaps once.
    public let timeAsleep: Int
    /// The seconds covered by any sample other than time in bed.
    public let trackedTime: Int
    /// The seconds between the start and the end that no sample covers.
    public let gapTime: Int

    /// The gap that ends a day's main sleep, in seconds: a shorter one is an interruption of it.
    public static let longestInterruption = 7200
    /// The longest that a sample may last, in seconds: a day.
    ///
    /// One that lasts longer, such as time in bed whose end was never set, would join all nights in it to one.
    public static let longestSample = 86_400

    /// The session without its samples, which keep all those in memory that were read with them.
    package func withoutSamples() -> SleepSession {
        var session = self
        session.samples = []
        return session
    }

    /// Whether it comes before another session in a list.
    func isEarlier(than other: SleepSession) -> Bool {
        start.seconds != other.start.seconds
            ? start.seconds < other.start.seconds : sources.lexicographicallyPrecedes(other.sources)
    }

    /// Creates a session from samples that are sorted by start; nil if there are none.
    init?(_ items: [SleepItem]) {
        guard let first = items.first?.sample.startDate, let last = items.max(by: { $0.end < $1.end }) else {
            return nil
        }
        let offset = (last.sample.endDate ?? last.sample.startDate ?? first).offsetMinutes
        samples = items.map(\.sample)
        start = first
        end = Timestamp(seconds: last.end, offsetMinutes: offset)
        let all = Set(samples.map { $0.sourceName ?? "" }).sorted()
        let asleep = items.filter { $0.stage?.isAsleep ?? false && $0.end > $0.start }
        let own = Set(asleep.map { $0.sample.sourceName ?? "" }).sorted()
        sources = all
        // Mostly the same names, which then take no memory of their own.
        sleepSources = own == all ? all : own
        func time(_ isCounted: (SleepAnalysisValue) -> Bool) -> Int {
            items.filter { $0.stage.map(isCounted) ?? false }.unionLength
        }
        timeAsleep = time { $0.isAsleep }
        var times = items.timesOfSleep
        times[.inBed] = time { $0 == .inBed }
        // Who is asleep according to one tracker is not awake, whatever another one recorded.
        times[.awake] = time { $0 != .inBed } - timeAsleep
        self.times = times
        trackedTime = items.filter { $0.stage != .inBed }.unionLength
        gapTime = end.seconds - start.seconds - items.unionLength
    }

    /// Returns the seconds of a stage; time that two trackers recorded counts once.
    ///
    /// If they disagree on the stage of sleep, that of a watch counts, then a phone's, then that of others; of one tracker,
    /// deep before REM before core before unspecified sleep. The stages of sleep thus add up to ``timeAsleep``. Time counts as
    /// awake only if no tracker recorded it as sleep.
    public func duration(of stage: SleepAnalysisValue) -> Int { times[stage] ?? 0 }

    /// Returns the number of samples of some stages, and the names of their sources, sorted.
    package func records(_ isCounted: (SleepAnalysisValue) -> Bool) -> (count: Int, sources: [String]) {
        let own = samples.compactMap { SleepItem($0) }.filter { $0.stage.map(isCounted) ?? false }
        return (own.count, Set(own.map { $0.sample.sourceName ?? "" }).sorted())
    }

    /// The seconds that a tracker recorded as awake, and none as sleep.
    public var timeAwake: Int { duration(of: .awake) }
    /// The seconds in bed, which are never counted as sleep.
    public var timeInBed: Int { duration(of: .inBed) }
    /// The seconds from the start to the end.
    public var duration: Int { end.seconds - start.seconds }

    /// Returns the day that the session belongs to, which is the day on which it ends.
    public func day(in days: Days) -> CivilDate { days.day(of: end.seconds) }
}

extension SleepAnalysisValue {
    /// Whether it is any stage of sleep.
    public var isAsleep: Bool {
        switch self {
        case .asleepUnspecified, .asleepCore, .asleepDeep, .asleepREM: true
        case .inBed, .awake: false
        }
    }
}

/// A sleep sample with the values that sessions need.
struct SleepItem {
    let sample: CategorySample
    let start: Int
    let end: Int
    let stage: SleepAnalysisValue?

    /// Whether it lasts longer than any that counts.
    var isOverlong: Bool { end - start > SleepSession.longestSample }

    /// Reads a sample; nil if it has no start.
    ///
    /// A sample without an end has no duration.
    init?(_ sample: CategorySample) {
        guard let start = sample.startDate?.seconds else { return nil }
        self.sample = sample
        self.start = start
        end = max(start, sample.endDate?.seconds ?? start)
        stage = sample.rawValue.flatMap { SleepAnalysisValue(rawValue: $0) }
    }
}

extension [SleepItem] {
    /// The stages of sleep from the one that counts first, if one tracker names two.
    private static var depths: [SleepAnalysisValue] {
        [.asleepDeep, .asleepREM, .asleepCore, .asleepUnspecified]
    }

    /// The seconds of each stage of sleep, one at a time; the items must be sorted by start.
    var timesOfSleep: [SleepAnalysisValue: Int] {
        let asleep = filter { $0.stage?.isAsleep ?? false }.map { item in
            TimedItem(
                start: item.start, end: item.end, source: item.sample.sourceName ?? "",
                device: item.sample.device,
                place: item.stage.flatMap { Self.depths.firstIndex(of: $0) } ?? 0)
        }
        return asleep.countedParts(places: Self.depths.count).reduce(into: [:]) { times, part in
            times[Self.depths[asleep[part.index].place], default: 0] += part.end - part.start
        }
    }

    /// The seconds that the items cover together; they must be sorted by start.
    var unionLength: Int {
        var length = 0
        var covered = Int.min
        for item in self {
            let from = Swift.max(item.start, covered)
            if item.end > from { length += item.end - from }
            covered = Swift.max(covered, item.end)
        }
        return length
    }
}
