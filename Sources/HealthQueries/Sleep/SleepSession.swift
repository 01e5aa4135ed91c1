public import HealthModel
public import SampleBatches

/// A time of sleep: what one or several trackers have recorded of a night or a nap.
public struct SleepSession: Sendable, Equatable {
    /// The samples, by their starts.
    public let samples: [CategorySample]
    /// When the first sample starts.
    public let start: Timestamp
    /// When the last sample ends: the latest end of all, whichever started last.
    public let end: Timestamp
    /// The names of the sources, sorted.
    public let sources: [String]
    /// The time of each stage, without what overlaps.
    private let times: [SleepAnalysisValue: Int]
    /// The seconds of sleep in any stage, without what overlaps.
    public let timeAsleep: Int
    /// The seconds that any sample but those of time in bed covers.
    public let trackedTime: Int

    /// Creates a session of samples that are in the order of their starts; nil without any.
    init?(_ items: [SleepItem]) {
        guard let first = items.first?.sample.startDate, let last = items.max(by: { $0.end < $1.end }) else {
            return nil
        }
        let offset = (last.sample.endDate ?? last.sample.startDate ?? first).offsetMinutes
        samples = items.map(\.sample)
        start = first
        end = Timestamp(seconds: last.end, offsetMinutes: offset)
        sources = Set(samples.map { $0.sourceName ?? "" }).sorted()
        func time(_ isCounted: (SleepAnalysisValue) -> Bool) -> Int {
            items.filter { $0.stage.map(isCounted) ?? false }.unionLength
        }
        times = Dictionary(
            uniqueKeysWithValues: SleepAnalysisValue.allCases.map { stage in (stage, time { $0 == stage }) })
        timeAsleep = time { $0.isAsleep }
        trackedTime = items.filter { $0.stage != .inBed }.unionLength
    }

    /// Returns the seconds of a stage; what two trackers have recorded at the same time counts once.
    public func duration(of stage: SleepAnalysisValue) -> Int { times[stage] ?? 0 }

    /// The seconds that a tracker says were awake.
    public var timeAwake: Int { duration(of: .awake) }
    /// The seconds in bed, which are never counted as sleep.
    public var timeInBed: Int { duration(of: .inBed) }
    /// The seconds from the start to the end.
    public var duration: Int { end.seconds - start.seconds }

    /// Returns the day that the session belongs to: that on which it ends.
    public func day(in days: Days) -> CivilDate { days.day(of: end.seconds) }
}

extension SleepAnalysisValue {
    /// Whether it is sleep, in whatever stage.
    public var isAsleep: Bool {
        switch self {
        case .asleepUnspecified, .asleepCore, .asleepDeep, .asleepREM: true
        case .inBed, .awake: false
        }
    }
}

/// A sample of sleep with what sessions need of it.
struct SleepItem {
    let sample: CategorySample
    let start: Int
    let end: Int
    let stage: SleepAnalysisValue?

    /// Reads a sample; nil for one without a start.
    ///
    /// One without an end has no length.
    init?(_ sample: CategorySample) {
        guard let start = sample.startDate?.seconds else { return nil }
        self.sample = sample
        self.start = start
        end = max(start, sample.endDate?.seconds ?? start)
        stage = sample.rawValue.flatMap { SleepAnalysisValue(rawValue: $0) }
    }
}

extension [SleepItem] {
    /// The seconds that they cover together; they must be in the order of their starts.
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
