public import ByteText
public import HealthModel

/// What the samples of a category amount to, interval by interval.
///
/// A sample is one entry of the interval in which it starts, to which all of its time belongs. Time that several samples cover
/// counts once, for the source with the highest priority: watches, then phones, then others.
public struct CategoryStatistics: Sendable {
    /// The samples that start in an interval.
    public struct Interval: Sendable, Equatable {
        /// When the interval starts.
        public let start: Timestamp
        /// When the interval ends (exclusive).
        public let end: Timestamp
        /// Number of samples.
        public internal(set) var count = 0
        /// How long they are together, in seconds.
        public internal(set) var duration = 0
        /// The number of samples with each of the type's values.
        public internal(set) var counts: [Int]
        /// How long each of the type's values lasted, in seconds.
        public internal(set) var seconds: [Int]
        /// Whether the range of the query, or the time of the export, cuts off a part of the interval.
        public internal(set) var isPartial = false
    }

    /// The type.
    public let type: SampleType<CategorySample>
    /// The values that the type distinguishes; none if its samples have no values.
    public let values: [CategoryValues.Member]
    /// The intervals that have samples, in chronological order.
    public internal(set) var intervals: [Interval] = []
    /// The sources, sorted by the priority used, highest first.
    public internal(set) var sources: [String] = []
    /// Number of samples that were ignored because they have no start.
    public internal(set) var undated = 0
    /// Number of samples that were ignored because they last longer than `QuantityColumns.longestSample`.
    public internal(set) var overlong = 0
    /// The rule for the days of the intervals.
    public internal(set) var days = Days.utc

    /// Whether any sample has a length; of instants, such as tests, people want to know how many there are.
    package var hasTime: Bool { intervals.contains { $0.duration > 0 } }

    /// Creates statistics without samples.
    init(_ type: SampleType<CategorySample>) {
        self.type = type
        let values = type.erased.categoryValues
        self.values = values == .notApplicable ? [] : values?.members ?? []
    }
}

extension Statistics {
    /// Creates statistics of the entries of a category: their number and duration.
    package init(_ interval: CategoryStatistics.Interval) {
        self.init(start: interval.start, end: interval.end)
        (count, duration, isPartial) = (interval.count, interval.duration, interval.isPartial)
    }
}

extension HealthStore {
    /// Returns how many samples of a category start in each interval, and how long they are.
    ///
    /// ```swift
    /// for day in try await store.statistics(of: .mindfulSession).intervals { print(day.count, day.duration) }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type.
    ///   - unit: The length of an interval.
    ///   - range: The time range.
    ///   - predicate: A condition that samples must meet.
    ///   - names: The names of the sources that come before all others.
    ///   - days: The rule for days; nil for the store's rule.
    ///   - weekday: The day on which weeks start; nil for that of the rule for days.
    /// - Throws: ``QueryError`` if there are too many intervals, or too many samples at one time; an error if the store cannot
    ///   be read.
    @concurrent public func statistics(
        of type: SampleType<CategorySample>, by unit: CalendarUnit = .day, in range: QueryTimeRange = .ever,
        where predicate: SamplePredicate = .all, priority names: [String] = [], days: Days? = nil,
        firstWeekday weekday: Weekday? = nil
    ) async throws -> CategoryStatistics {
        var sums: CategorySums?
        // All samples are read: one that starts before the range may cover time in it.
        for try await samples in self.samples(type, where: predicate) {
            if sums == nil {
                // An export that can be read only once tells its contents with the first samples.
                let contents = try await contents()
                var rule = days ?? contents.days
                if let weekday { rule = rule.startingWeeks(on: weekday) }
                sums = CategorySums(
                    type, unit, rule, in: range.resolved(in: contents, days: days), first: names,
                    now: contents.exportDate?.seconds)
            }
            for sample in samples { try sums?.add(sample) }
        }
        return try sums?.finished() ?? CategoryStatistics(type)
    }
}

/// Adds up the samples of a category as they arrive, with memory for those that overlap.
private struct CategorySums {
    private var result: CategoryStatistics
    private let unit: CalendarUnit
    private let range: Range<Int>
    private let names: [String]
    private let now: Int?
    private var intervals: [Int: CategoryStatistics.Interval] = [:]
    private var sources: [(name: String, device: Device?)] = []
    /// The places of the values by their numbers.
    private let places: [Int: Int]
    /// Samples that overlap, and the latest end of any of them.
    private var open: [TimedItem] = []
    private var end = Int.min

    init(
        _ type: SampleType<CategorySample>, _ unit: CalendarUnit, _ days: Days, in range: Range<Int>,
        first names: [String], now: Int?
    ) {
        result = CategoryStatistics(type)
        result.days = days
        self.unit = unit
        self.range = range
        self.names = names
        self.now = now
        places = Dictionary(
            result.values.enumerated().map { ($1.rawValue, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Adds a sample, which starts no earlier than the one before.
    mutating func add(_ sample: CategorySample) throws(QueryError) {
        guard let start = sample.startDate?.seconds else {
            result.undated += 1
            return
        }
        let last = max(start, sample.endDate?.seconds ?? start)
        guard last - start <= QuantityColumns.longestSample else {
            if start < range.upperBound, last > range.lowerBound { result.overlong += 1 }
            return
        }
        if start >= end { try close() }
        guard open.count < OpenSleepSessions.mostSamples else {
            throw QueryError(.tooManySamples, result.type.erased)
        }
        // A value that is not known comes after the others, and has no time of its own.
        let place = sample.rawValue.flatMap { places[$0] } ?? result.values.count
        let item = TimedItem(
            start: start, end: last, source: sample.sourceName ?? "", device: sample.device, place: place)
        open.append(item)
        end = max(end, last)
        guard range.contains(start) else { return }
        if !sources.contains(where: { $0.name == item.source }) { sources.append((item.source, item.device)) }
        try update(start) { interval in
            interval.count += 1
            if place < interval.counts.count { interval.counts[place] += 1 }
        }
    }

    /// Adds the time of the samples that overlap each other and no later one.
    private mutating func close() throws(QueryError) {
        let items = open
        open.removeAll(keepingCapacity: true)
        for part in items.countedParts(places: result.values.count + 1, first: names) {
            let item = items[part.index]
            guard range.contains(item.start) else { continue }
            try update(item.start) { interval in
                interval.duration += part.end - part.start
                if item.place < interval.seconds.count {
                    interval.seconds[item.place] += part.end - part.start
                }
            }
        }
    }

    private mutating func update(
        _ instant: Int, _ body: (inout CategoryStatistics.Interval) -> Void
    ) throws(QueryError) {
        let start = result.days.start(of: unit, containing: instant)
        var interval = intervals.removeValue(forKey: start) ?? interval(from: start)
        body(&interval)
        intervals[start] = interval
        guard intervals.count <= StatisticsQuery.mostIntervals else {
            throw QueryError(.tooManyIntervals, result.type.erased)
        }
    }

    /// Returns the interval that starts at an instant, without samples.
    private func interval(from start: Int) -> CategoryStatistics.Interval {
        let days = result.days
        let end = max(start + 1, days.start(of: unit, 1, after: start))
        let none = [Int](repeating: 0, count: result.values.count)
        var interval = CategoryStatistics.Interval(
            start: days.timestamp(start), end: days.timestamp(end), counts: none, seconds: none)
        interval.isPartial = (start..<end).isCut(by: range, at: now)
        return interval
    }

    mutating func finished() throws(QueryError) -> CategoryStatistics {
        try close()
        result.intervals = intervals.sorted { $0.key < $1.key }.map(\.value)
        result.sources = SourcePriority.order(sources, first: names).map { sources[$0].name }
        return result
    }
}
