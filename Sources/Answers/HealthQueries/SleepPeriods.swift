public import ByteText
public import HealthModel

/// The sleep of a week, month or year: the means of its days with sleep.
public struct SleepPeriod: Sendable, Equatable {
    /// The first day of the period.
    public let start: CivilDate
    /// The number of days on which sleep ends.
    public let days: Int
    /// The names of the sources, sorted.
    public let sources: [String]
    /// The names of the sources that recorded sleep, sorted.
    public let sleepSources: [String]
    /// The mean seconds of sleep in any stage.
    public let timeAsleep: Double
    /// The mean seconds that no sample covers within sessions.
    public let gapTime: Double
    /// The mean seconds of each stage.
    private let times: [SleepAnalysisValue: Double]

    /// Creates the means of the sessions of some days.
    fileprivate init(start: CivilDate, _ days: [[SleepSession]]) {
        let (count, sessions) = (days.count, days.flatMap(\.self))
        func mean(_ seconds: (SleepSession) -> Int) -> Double {
            Double(sessions.reduce(0) { $0 + seconds($1) }) / Double(count)
        }
        self.start = start
        self.days = count
        sources = Set(sessions.flatMap(\.sources)).sorted()
        sleepSources = Set(sessions.flatMap(\.sleepSources)).sorted()
        timeAsleep = mean(\.timeAsleep)
        gapTime = mean(\.gapTime)
        times = Dictionary(
            uniqueKeysWithValues: SleepAnalysisValue.allCases.map { stage in
                (stage, mean { $0.duration(of: stage) })
            })
    }

    /// Returns the mean seconds of a stage, which are those of ``SleepSession/duration(of:)``.
    public func duration(of stage: SleepAnalysisValue) -> Double { times[stage] ?? 0 }
}

extension Sequence<SleepSession> {
    /// Returns the means of the days of each week, month or year, in chronological order.
    ///
    /// The sessions that end on a day are added up. Those without sleep do not count, such as time in bed alone.
    ///
    /// - Parameters:
    ///   - unit: The length of the periods.
    ///   - days: The rule for days, with the first day of the week.
    ///   - range: Only days with as much sleep count, in seconds; nil for all days.
    ///   - separateBySource: Whether sessions of different sources have periods of their own.
    public func means(
        by unit: CalendarUnit, in days: Days, within range: Range<Int>? = nil, separateBySource: Bool = false
    ) -> [SleepPeriod] {
        let groups = Dictionary(grouping: filter { $0.timeAsleep > 0 }) { session in
            let start = days.start(of: unit, containing: session.end.seconds)
            return PeriodKey(start: days.day(of: start), sources: separateBySource ? session.sources : [])
        }
        let periods = groups.compactMap { key, sessions -> SleepPeriod? in
            let counted = Dictionary(grouping: sessions) { $0.day(in: days) }.values.filter { sessions in
                range?.contains(sessions.reduce(0) { $0 + $1.timeAsleep }) ?? true
            }
            return counted.isEmpty ? nil : SleepPeriod(start: key.start, Array(counted))
        }
        return periods.sorted {
            $0.start != $1.start ? $0.start < $1.start : $0.sources.lexicographicallyPrecedes($1.sources)
        }
    }
}

/// What the sessions of a period have in common.
private struct PeriodKey: Hashable {
    let start: CivilDate
    /// The sources, if they have periods of their own.
    let sources: [String]
}
