public import ByteText
public import HealthModel

/// A query for statistics of the samples of a quantity.
public struct StatisticsQuery: Sendable, Equatable {
    /// The type.
    public var type: SampleType<QuantitySample>
    /// The values to compute; if empty, the defaults for the type.
    public var options: [StatisticsOption]
    /// The length of an interval, in calendar units.
    public var interval: Interval
    /// The time range.
    public var range: QueryTimeRange
    /// A condition that samples must meet.
    public var predicate: SamplePredicate
    /// How samples of several sources are merged into one series.
    public var merge: SourceMerge
    /// The unit of the results; if nil, the usual metric unit, or that of the first sample if the type is unknown.
    public var unit: HealthUnit?
    /// The rule for days; nil for the store's rule.
    public var days: Days?
    /// The day on which intervals of weeks start, nil for that of the rule for days; it does not affect the range.
    public var firstWeekday: Weekday?
    /// The maximum number of seconds before the range at which samples that overlap it may start.
    public var lookback = Self.longestLookback

    /// The most intervals with samples; more are an error.
    package var most = Self.mostIntervals
    /// The number of intervals after which no more are computed.
    package var enough = Int.max

    /// The usual maximum: 31 days.
    package static let longestLookback = 31 * 86400
    /// The most intervals with samples: the hours of thirty years, or the days of seven hundred.
    ///
    /// A few crafted samples of a year each could be in any number of hours, for all of which an answer needs memory.
    package static let mostIntervals = 1 << 18
    /// The most parts of samples in intervals that are computed, which takes some seconds; no phone records more.
    static let mostParts = 1 << 26
    /// The most samples in an interval, for all of which an answer needs memory; no phone records more in a year.
    static let mostSamples = 1 << 23

    /// The length of intervals, and where they begin.
    public struct Interval: Sendable, Hashable {
        /// The calendar unit.
        public let unit: CalendarUnit
        /// The number of units in an interval.
        public let count: Int
        /// Whether intervals begin where calendar units do, rather than at the start of the range.
        public let isAligned: Bool

        /// Intervals that begin at the start of the range, as in HealthKit, each a whole number of units after it.
        public static func every(_ count: Int = 1, _ unit: CalendarUnit) -> Self {
            Self(unit: unit, count: min(max(1, count), 100_000), isAligned: false)
        }

        /// Intervals of one calendar unit, aligned to the calendar: weeks on Mondays, months on the first.
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

    /// The values to compute.
    var effectiveOptions: [StatisticsOption] {
        options.isEmpty ? StatisticsOption.standard(for: type.erased) : options
    }

    /// Checks that the values mean something for the type.
    func checkOptions() throws(QueryError) {
        for option in effectiveOptions where !option.fits(type.erased) {
            throw QueryError(.unfit(option), type.erased)
        }
    }
}

/// Statistics of the samples of one interval.
public struct Statistics: Sendable, Equatable {
    /// When the interval starts.
    public let start: Timestamp
    /// When the interval ends (exclusive).
    public let end: Timestamp
    /// Number of samples that count, in full or in part.
    public internal(set) var count = 0
    /// The sum.
    public internal(set) var sum: Double?
    /// The average.
    public internal(set) var average: Double?
    /// The minimum value.
    public internal(set) var minimum: Double?
    /// The maximum value.
    public internal(set) var maximum: Double?
    /// The median of the samples.
    public internal(set) var median: Double?
    /// The 95th percentile of the samples.
    public internal(set) var percentile95: Double?
    /// The value of the latest sample.
    public internal(set) var mostRecent: Double?
    /// The total duration of the samples, in seconds.
    public internal(set) var duration: Int?

    /// Whether the range of the query, or the time of the export, cuts off a part of the interval.
    public internal(set) var isPartial = false

    /// The value of an option; the duration is in seconds.
    public subscript(_ option: StatisticsOption) -> Double? {
        switch option {
        case .sum: sum
        case .average: average
        case .minimum: minimum
        case .maximum: maximum
        case .median: median
        case .percentile95: percentile95
        case .mostRecent: mostRecent
        case .duration: duration.map { Double($0) }
        }
    }
}

/// The statistics of a query.
public struct StatisticsResult: Sendable {
    /// The query.
    public let query: StatisticsQuery
    /// The values that were computed.
    public let options: [StatisticsOption]
    /// The unit of all values.
    public private(set) var unit: HealthUnit
    /// The unit that the source uses for the latest sample; the phone's owner may have changed units over the years.
    public let sourceUnit: HealthUnit?
    /// The intervals that have samples, in chronological order.
    public private(set) var intervals: [Statistics]
    /// The sources, sorted by the priority used, highest first.
    public let sources: [String]
    /// Number of samples that were ignored because they have no start, no number or an incompatible unit, or last too long.
    public let skipped: Int
    /// How many of the ignored samples have no start.
    public let undated: Int
    /// How many of the ignored samples last longer than `QuantityColumns.longestSample`.
    public let overlong: Int
    /// The rule for the days of the intervals.
    public let days: Days
    /// The range of the query, in seconds since 1970.
    let range: Range<Int>
    /// The time of the export, in seconds since 1970; nil if it is unknown.
    let now: Int?

    /// Creates the result of statistics that are finished.
    init(_ computed: IntervalStatistics, _ intervals: [Statistics]) {
        let columns = computed.columns
        query = computed.query
        options = computed.options
        unit = columns.unit ?? .null
        sourceUnit = columns.sourceUnit
        self.intervals = intervals
        sources = computed.sources.map(\.name)
        (skipped, undated, overlong) = (columns.skipped, columns.undated, columns.overlong)
        (days, range, now) = (computed.days, computed.range, computed.now)
    }

    /// Returns the result in another unit; nil if that unit measures something else.
    public func converted(to other: HealthUnit) -> StatisticsResult? {
        guard let conversion = unit.conversion(to: other) else { return nil }
        var converted = self
        converted.unit = other
        converted.intervals = intervals.map { $0.converted { conversion($0) } }
        return converted
    }
}

extension Range<Int> {
    /// Returns whether a range, or the time of the export, cuts off a part of this interval.
    func isCut(by range: Range<Int>, at now: Int?) -> Bool {
        lowerBound < range.lowerBound || upperBound > range.upperBound
            || now.map { lowerBound <= $0 && $0 < upperBound - 1 } ?? false
    }
}

extension Sequence {
    /// Returns the elements with the greatest or the least value first, those without one last, and equal ones in their order.
    package func sorted(leastFirst: Bool, by value: (Element) -> Double?) -> [Element] {
        let sign = leastFirst ? -1.0 : 1
        return enumerated().map { (place: $0, key: value($1).map { $0 * sign } ?? -.infinity, element: $1) }
            .sorted { ($0.key, $1.place) > ($1.key, $0.place) }.map(\.element)
    }
}

extension Sequence<Statistics> {
    /// Returns the intervals with the greatest or the least value of an option first, and equal ones in their order.
    public func sorted(byValueOf option: StatisticsOption, leastFirst: Bool = false) -> [Statistics] {
        sorted(leastFirst: leastFirst) { $0[option] }
    }
}

extension Statistics {
    fileprivate func converted(_ conversion: (Double) -> Double) -> Statistics {
        var converted = self
        converted.sum = sum.map(conversion)
        converted.average = average.map(conversion)
        converted.minimum = minimum.map(conversion)
        converted.maximum = maximum.map(conversion)
        converted.median = median.map(conversion)
        converted.percentile95 = percentile95.map(conversion)
        converted.mostRecent = mostRecent.map(conversion)
        return converted
    }
}

/// A value computed from the samples of an interval.
public enum StatisticsOption: String, Sendable, Hashable, CaseIterable, Codable {
    /// The sum, for quantities that are added up.
    case sum
    /// The average, by the aggregation style of the type.
    case average = "avg"
    /// The minimum value.
    case minimum = "min"
    /// The maximum value.
    case maximum = "max"
    /// The median of the samples, each of which has the same weight.
    case median
    /// The 95th percentile of the samples, each of which has the same weight.
    case percentile95 = "p95"
    /// The value of the latest sample.
    case mostRecent = "latest"
    /// The total duration of the samples.
    case duration

    /// The name of its values in records: that of HealthKit without `Quantity`.
    package var name: String {
        switch self {
        case .average: "average"
        case .minimum: "minimum"
        case .maximum: "maximum"
        case .mostRecent: "mostRecent"
        case .sum, .median, .percentile95, .duration: rawValue
        }
    }

    /// Returns the default options for a type: the sum, or average, minimum and maximum.
    public static func standard(for type: AnySampleType) -> [StatisticsOption] {
        type.aggregationStyle == .cumulative ? [.sum] : [.average, .minimum, .maximum]
    }

    /// Returns whether it is applicable to a type: steps are not averaged, heart rates are not added up.
    public func fits(_ type: AnySampleType) -> Bool {
        guard let style = type.aggregationStyle else { return true }
        return switch self {
        case .sum: style == .cumulative
        case .average, .minimum, .maximum, .median, .percentile95: style != .cumulative
        case .mostRecent, .duration: true
        }
    }
}
