public import ByteText
public import HealthModel

/// Values by day: the sum or the average of a quantity, as fits the type, or the hours of sleep.
public struct DailyValues: Sendable {
    /// The type of the samples.
    public let type: AnySampleType
    /// The stage of sleep; nil for all of it, and for quantities.
    public let stage: SleepAnalysisValue?
    /// The values by day, ascending.
    public let days: [(date: CivilDate, value: Double)]
    /// The unit of the values.
    public let unit: HealthUnit
    /// How each day's value is computed: its sum or its average.
    public let option: StatisticsOption
    /// The rule for days.
    public let rule: Days
    /// How sources were merged, in words.
    public let merge: String
    /// Number of samples that were ignored.
    public let skipped: Int
    /// The statistics that the values come from; nil for sleep.
    public let statistics: StatisticsResult?
    /// The time of the export, in seconds since 1970; nil if it is unknown.
    let now: Int?

    /// Creates the values from statistics by day.
    ///
    /// - Parameters:
    ///   - statistics: The statistics, which have the option.
    ///   - option: The sum or the average.
    public init(_ statistics: StatisticsResult, _ option: StatisticsOption) {
        type = statistics.query.type.erased
        stage = nil
        self.statistics = statistics
        self.option = option
        unit = statistics.unit
        (rule, merge) = (statistics.days, statistics.query.merge.rule)
        (skipped, now) = (statistics.skipped, statistics.now)
        days = statistics.intervals.compactMap { interval in
            interval[option].map { (interval.start.day, $0) }
        }
    }

    /// Creates the hours of sleep of the days on which it ends.
    ///
    /// Days without sleep have no value, and of deep, REM and core sleep neither those whose trackers do not tell stages apart.
    ///
    /// - Parameters:
    ///   - sleep: The nights and naps.
    ///   - stage: The stage, or time in bed; nil for the time asleep.
    ///   - rule: The rule for days.
    ///   - now: The time of the export, in seconds since 1970; nil if it is unknown.
    package init(_ sleep: SleepTimes, _ stage: SleepAnalysisValue?, _ rule: Days, now: Int?) {
        type = .sleepAnalysis
        self.stage = stage
        statistics = nil
        option = .sum
        unit = .hour
        (self.rule, self.now) = (rule, now)
        merge = "one stage of all sources at a time, on the day on which a night ends"
        skipped = sleep.overlong
        let days = Dictionary(grouping: sleep.sessions) { rule.dayNumber(of: $0.end.seconds) }
        self.days = days.sorted { $0.key < $1.key }.compactMap { day, sessions in
            guard sessions.contains(where: { $0.states(stage) }) else { return nil }
            let seconds = sessions.reduce(0) { $0 + (stage.map($1.duration(of:)) ?? $1.timeAsleep) }
            return (CivilDate(daysSince1970: day), Double(seconds) / 3600)
        }
    }

    /// What the values are of, as people call it: `Steps`, `Sleep`, `Sleep, asleep deep`.
    public var title: String { stage.map { "\(type.title), \($0.title)" } ?? type.title }
    /// HealthKit's name of what the values are of: a type, or a stage of sleep.
    public var identifier: String { stage?.name ?? type.identifier }
}

extension SleepSession {
    /// Whether its trackers say anything about a stage; nil for all sleep.
    fileprivate func states(_ stage: SleepAnalysisValue?) -> Bool {
        switch stage {
        case .inBed: timeInBed > 0
        case .asleepDeep, .asleepREM, .asleepCore:
            [SleepAnalysisValue.asleepDeep, .asleepREM, .asleepCore].contains { duration(of: $0) > 0 }
        case nil, .awake, .asleepUnspecified: timeAsleep > 0
        }
    }
}

extension HealthStore {
    /// Returns the values of a quantity by day.
    ///
    /// - Parameters:
    ///   - type: The type.
    ///   - range: The time range.
    ///   - predicate: A condition that samples must meet.
    ///   - merge: How samples of several sources are merged.
    ///   - days: The rule for days; nil for the store's rule.
    /// - Throws: ``QueryError``; an error if the store cannot be read.
    @concurrent public func dailyValues(
        of type: SampleType<QuantitySample>, in range: QueryTimeRange = .ever,
        where predicate: SamplePredicate = .all, merge: SourceMerge = .priority(), days: Days? = nil
    ) async throws -> DailyValues {
        let option = StatisticsOption.daily(of: type)
        return DailyValues(
            try await statistics(
                StatisticsQuery(type, [option], in: range, where: predicate, merge: merge, days: days)),
            option)
    }
}

/// How many days of a period have a value above or below a limit.
public struct DayCount: Sendable, Equatable {
    /// The first day of the period.
    public let start: CivilDate
    /// The number of days with such a value.
    public let days: Int
    /// The number of days with any value.
    public let daysWithData: Int
}

extension DailyValues {
    /// Returns how many days of each week, month or year have a value between two limits, in chronological order.
    ///
    /// - Parameters:
    ///   - unit: The length of the periods.
    ///   - above: The limit that values exceed; nil for none.
    ///   - below: The limit that values do not reach; nil for none.
    public func counts(by unit: CalendarUnit, above: Double?, below: Double?) -> [DayCount] {
        periodsWithDays(by: unit).map { start, days in
            let counted = days.count { day in
                day.value > above ?? -.infinity && day.value < below ?? .infinity
            }
            return DayCount(start: start, days: counted, daysWithData: days.count)
        }
    }

    /// Returns the days with data of each week, month or year that has any, by its first day.
    func periodsWithDays(by unit: CalendarUnit) -> [(
        start: CivilDate, days: [(date: CivilDate, value: Double)]
    )] {
        let periods = Dictionary(grouping: days) { day in
            rule.day(of: rule.start(of: unit, containing: rule.start(of: day.date)))
        }
        return periods.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}

extension StatisticsOption {
    /// The option that makes one value of a day: the sum of what is added up, the average of all else.
    package static func daily(of type: SampleType<QuantitySample>) -> StatisticsOption {
        type.aggregationStyle == .cumulative ? .sum : .average
    }
}
