import ByteText
import HealthModel
import SystemIO

/// The computation from the samples of one series to amounts by day, with memory for a few days of samples.
struct SeriesFold: Sendable {
    let series: AnalyticsSeries
    /// The amounts of each metric by day, as days since 1970-01-01.
    private(set) var amounts: [Metric: [Int: Amount]] = [:]
    private let rule: Days
    private let merge: SourceMerge
    private let runs: RunningTime
    private let path: BytePath
    private var columns: QuantityColumns
    private var ranks: [Int] = []
    private var sweep: IntervalSweep
    private var heartRates: HeartRateTime
    private var sleep = OpenSleepSessions(threshold: 3600)
    private var sleepSources: Set<String> = []
    /// Number of samples of sleep without a start.
    private var undated = 0
    /// Lists of names that amounts share.
    private var names: [[Int]: [String]] = [:]
    /// Number of days.
    private var dayCount = 0
    /// Number of samples on all days; one that spans several days is on each of them.
    private var parts = 0

    /// Whether there are more days than a person lives, or more samples on them than are recorded in a life: a few crafted
    /// ones could be on any number of days.
    private var isFull: Bool { dayCount > AnalyticsError.mostDays || parts > Self.mostParts }
    private static let mostParts = 1 << 26

    /// Creates a fold.
    ///
    /// - Parameters:
    ///   - series: The series.
    ///   - rule: The rule for days.
    ///   - merge: How samples of several sources are merged.
    ///   - runs: The time of running workouts.
    ///   - path: The database, for errors.
    init(
        _ series: AnalyticsSeries, _ rule: Days, _ merge: SourceMerge, _ runs: RunningTime, path: BytePath
    ) {
        self.series = series
        self.rule = rule
        self.merge = merge
        self.runs = runs
        self.path = path
        columns = QuantityColumns(unit: series.quantity?.unit)
        sweep = IntervalSweep(by: rule.intervals(of: .day))
        heartRates = HeartRateTime(isJoint: merge == .none)
    }

    /// Number of samples without a start, a number or a convertible unit, or that last too long.
    var skipped: Int { columns.skipped + undated + sleep.overlong }

    /// The names of the sources.
    var sources: Set<String> { sleepSources.union(columns.sources.map(\.name)) }

    /// Adds the samples of a span, none of which starts before a sample of an earlier one.
    ///
    /// - Throws: `AnalyticsError`, with `tooManyDays`; `QueryError` if a night has too many samples.
    mutating func append(_ samples: Samples<AnySample>) throws {
        if series == .sleep, let found = samples.converted(to: CategorySample.self) {
            for sample in found {
                if sample.startDate == nil { undated += 1 }
                sleepSources.insert(sample.sourceName ?? "")
                if let night = try sleep.add(sample) { add(night) }
            }
        } else if let found = samples.converted(to: QuantitySample.self) {
            columns.removeSamples()
            columns.append(found)
            ranks = columns.ranks(merge)
            let order = columns.order
            for place in 0..<columns.count {
                let sample = columns[place, in: order]
                guard series == .heartbeats else {
                    try sweepPast(sample)
                    continue
                }
                for sample in heartRates.append(sample) { try sweepPast(sample) }
            }
        }
    }

    private mutating func sweepPast(_ sample: SweptSample) throws(AnalyticsError) {
        try finishDays(before: sample.start)
        sweep.append(sample)
    }

    /// Completes all days, after the last sample.
    ///
    /// - Throws: `tooManyDays`.
    mutating func finish() throws(AnalyticsError) {
        for night in sleep.finish() { add(night) }
        for sample in heartRates.finish() { try sweepPast(sample) }
        try finishDays(before: .max)
    }

    private mutating func finishDays(before instant: Int) throws(AnalyticsError) {
        while let day = sweep.next(before: instant) {
            parts += day.samples.count
            dayCount += 1
            guard !isFull else { throw AnalyticsError(.tooManyDays, path: path) }
            add(day)
        }
    }

    private mutating func add(_ day: SweptInterval) {
        let pieces = day.pieces(merge, ranks)
        for (metric, own) in zip(series.metrics, series == .walking ? runs.split(pieces) : [pieces]) {
            let sums = day.sums(of: own, merge, columns, ranks) { piece in
                guard series == .heartbeats else { return day.amount(piece) }
                return day.samples[piece.index].value * Double(piece.end - piece.start) / 60
            }
            guard !sums.isEmpty else { continue }
            let numbers = sums.map(\.source)
            let names = names[numbers] ?? Set(numbers.map { columns.sources[$0].name }).sorted()
            self.names[numbers] = names
            amounts[metric, default: [:]][rule.dayNumber(of: day.bounds.lowerBound)] = Amount(
                value: sums.reduce(0) { $0 + $1.sum }, n: sums.reduce(0) { $0 + $1.count },
                coveredSeconds: series == .heartbeats ? sums.reduce(0) { $0 + $1.seconds } : nil,
                sources: names)
        }
    }

    /// Adds the time in each stage, one at a time, on the day on which a night ends.
    private mutating func add(_ night: SleepSession) {
        func add(_ metric: Metric, _ seconds: Int, _ isCounted: (SleepAnalysisValue) -> Bool) {
            let own = night.records(isCounted)
            // A night without any sample of a stage has none of it, but its sources are those of the others.
            let amount = Amount(
                value: Double(seconds) / 60, n: own.count,
                sources: own.count == 0 ? night.sources : own.sources)
            let day = rule.dayNumber(of: night.end.seconds)
            if amounts[metric, default: [:]][day]?.add(amount) == nil { amounts[metric]?[day] = amount }
            amounts[metric]?[day]?.days = 1
        }
        func add(_ metric: Metric, _ stage: SleepAnalysisValue) {
            add(metric, night.duration(of: stage)) { $0 == stage }
        }
        if night.records(\.isAsleep).count > 0 { add(.sleepTotal, night.timeAsleep, \.isAsleep) }
        // A source that does not tell stages apart says nothing about deep sleep.
        if night.records({ $0.isAsleep && $0 != .asleepUnspecified }).count > 0 {
            add(.sleepDeep, .asleepDeep)
            add(.sleepREM, .asleepREM)
        }
        if night.records({ $0 == .inBed }).count > 0 { add(.timeInBed, .inBed) }
    }
}
