public import HealthModel
public import SampleBatches

/// Which statistics are wanted of the samples of a quantity.
public struct StatisticsQuery: Sendable, Equatable {
    /// The type.
    public var type: SampleType<QuantitySample>
    /// What is computed; where empty, what is usual for the type.
    public var options: [StatisticsOption]
    /// The length of an interval, in units of the calendar.
    public var interval: Interval
    /// The time.
    public var range: QueryTimeRange
    /// What must be true of the samples.
    public var predicate: SamplePredicate
    /// How samples of several sources become one series.
    public var merge: SourceMerge
    /// The unit of the results; where nil the metric one that people read, or that of the first sample if the type is
    /// not known.
    public var unit: HealthUnit?
    /// The rule for days; nil for that of the store.
    public var days: Days?
    /// The day on which intervals of weeks start, nil for that of the rule for days; the time is not changed by it.
    public var firstWeekday: Weekday?

    /// The length of the intervals, and where they begin.
    public struct Interval: Sendable, Hashable {
        /// The unit of the calendar.
        public let unit: CalendarUnit
        /// How many of them an interval has.
        public let count: Int
        /// Whether intervals begin where the calendar's units do, and not with the range.
        public let isAligned: Bool

        /// Intervals that begin with the range, as HealthKit's do; all of it is in whole units after its start.
        public static func every(_ count: Int = 1, _ unit: CalendarUnit) -> Self {
            Self(unit: unit, count: min(max(1, count), 100_000), isAligned: false)
        }

        /// Intervals of one unit that begin where the calendar's do: on Mondays, on the first of a month.
        public static func calendar(_ unit: CalendarUnit) -> Self {
            Self(unit: unit, count: 1, isAligned: true)
        }
    }

    /// Creates a query.
    public init(
        _ type: SampleType<QuantitySample>, _ options: [StatisticsOption] = [],
        by interval: Interval = .calendar(.day),
        in range: QueryTimeRange = .ever, where predicate: SamplePredicate = .all,
        merge: SourceMerge = .priority(), unit: HealthUnit? = nil, days: Days? = nil,
        firstWeekday: Weekday? = nil
    ) {
        self.type = type
        self.options = options
        self.interval = interval
        self.range = range
        self.predicate = predicate
        self.merge = merge
        self.unit = unit
        self.days = days
        self.firstWeekday = firstWeekday
    }

    /// What is computed.
    var effectiveOptions: [StatisticsOption] {
        options.isEmpty ? StatisticsOption.standard(for: type.erased) : options
    }
}

/// Statistics of the samples of one interval.
public struct Statistics: Sendable, Equatable {
    /// When the interval starts.
    public let start: Timestamp
    /// When it ends; that instant is not part of it.
    public let end: Timestamp
    /// Number of samples that count, wholly or in part.
    public internal(set) var count = 0
    /// The sum.
    public internal(set) var sum: Double?
    /// The average.
    public internal(set) var average: Double?
    /// The least value.
    public internal(set) var minimum: Double?
    /// The greatest value.
    public internal(set) var maximum: Double?
    /// The value of the latest sample.
    public internal(set) var mostRecent: Double?
    /// The lengths of the samples in seconds, added up.
    public internal(set) var duration: Int?

    /// Returns one of the values; the duration in seconds.
    public subscript(_ option: StatisticsOption) -> Double? {
        switch option {
        case .sum: sum
        case .average: average
        case .minimum: minimum
        case .maximum: maximum
        case .mostRecent: mostRecent
        case .duration: duration.map { Double($0) }
        }
    }
}

/// The statistics of a query.
public struct StatisticsResult: Sendable {
    /// The query.
    public let query: StatisticsQuery
    /// What was computed.
    public let options: [StatisticsOption]
    /// The unit of all values.
    public internal(set) var unit: HealthUnit
    /// The unit in which the source has the latest sample; an owner may have changed it over the years.
    public let sourceUnit: HealthUnit?
    /// The intervals that have samples, in the order of time.
    public internal(set) var intervals: [Statistics]
    /// The sources by the priority that was used, the highest first.
    public let sources: [String]
    /// Number of samples that have no number, or one in a unit that measures something else; they do not count.
    public let skipped: Int
    /// The rule for the days of the intervals.
    public let days: Days

    /// Returns the result in another unit; nil for one that measures something else.
    public func converted(to other: HealthUnit) -> StatisticsResult? {
        guard let conversion = unit.conversion(to: other) else { return nil }
        var converted = self
        converted.unit = other
        converted.intervals = intervals.map { $0.converted { conversion($0) } }
        return converted
    }
}

extension Statistics {
    fileprivate func converted(_ conversion: (Double) -> Double) -> Statistics {
        var converted = self
        converted.sum = sum.map(conversion)
        converted.average = average.map(conversion)
        converted.minimum = minimum.map(conversion)
        converted.maximum = maximum.map(conversion)
        converted.mostRecent = mostRecent.map(conversion)
        return converted
    }
}
