import CivilTime
import HealthModel
import SystemIO

/// The computation from the samples of one series to amounts by day, with memory for a few days of samples.
struct SeriesFold: Sendable {
    let series: AnalyticsSeries
    /// The sources seen so far.
    private(set) var sources: SourceList
    /// The length of the longest sample, in seconds.
    private(set) var longest = 0
    /// Number of samples without a start, a number or a convertible unit, or that last too long.
    private(set) var skipped = 0
    private let merge: SourceMerge
    private let runs: RunningTime
    private let path: BytePath
    private var sweep: DaySweep
    private var heartRates: HeartRateTime
    private var nights: SleepNights
    private var sums: [Metric: [Int: Amount]] = [:]
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
    ///   - sources: The sources that are already known.
    init(
        _ series: AnalyticsSeries, _ rule: Days, _ merge: SourceMerge, _ runs: RunningTime, path: BytePath,
        _ sources: SourceList = SourceList()
    ) {
        self.series = series
        self.merge = merge
        self.runs = runs
        self.path = path
        self.sources = sources
        sweep = DaySweep(rule)
        heartRates = HeartRateTime(isJoint: merge == .none)
        nights = SleepNights(rule)
    }

    /// The amounts of each metric by day, as days since 1970-01-01.
    var amounts: [Metric: [Int: Amount]] { series == .sleep ? nights.amounts : sums }

    /// Adds the samples of a span, none of which starts before a sample of an earlier one.
    ///
    /// - Throws: `tooManyDays`.
    mutating func append(_ samples: Samples<AnySample>) throws(AnalyticsError) {
        if series == .sleep {
            guard let found = samples.converted(to: CategorySample.self) else { return }
            var items: [DaySweep.Item] = []
            for sample in found {
                guard let start = sample.startDate?.seconds,
                    case let end = max(start, sample.endDate?.seconds ?? start),
                    end - start <= QuantityColumns.longestSample
                else {
                    skipped += 1
                    continue
                }
                items.append(
                    DaySweep.Item(
                        start: start, end: end,
                        value: SleepNights.value(of: sample),
                        source: sources.number(of: sample.sourceName ?? "", sample.device, start: start)))
            }
            try append(items)
        } else if let unit = series.quantity?.unit,
            let found = samples.converted(to: QuantitySample.self)
        {
            var columns = QuantityColumns(unit: unit)
            columns.append(found)
            skipped += columns.skipped
            let numbers = columns.sources.indices.map { number in
                sources.number(
                    of: columns.sources[number].name, columns.sources[number].device,
                    start: columns.firstStart(ofSource: number))
            }
            try append(
                columns.starts.indices.map { index in
                    DaySweep.Item(
                        start: columns.starts[index], end: columns.ends[index],
                        value: columns.values[index], source: numbers[columns.sourceNumbers[index]])
                })
        }
    }

    /// Adds samples in an order that is the same in every export of a phone: by start, length and value.
    private mutating func append(_ items: [DaySweep.Item]) throws(AnalyticsError) {
        for item in items.sorted(by: { ($0.start, $0.end, $0.value) < ($1.start, $1.end, $1.value) }) {
            longest = max(longest, item.end - item.start)
            switch series {
            case .sleep: nights.append(item, &sources)
            case .heartbeats:
                var ready: [DaySweep.Item] = []
                heartRates.append(item) { ready.append($0) }
                for item in ready { try sweepPast(item) }
            case .sum, .walking: try sweepPast(item)
            }
        }
    }

    private mutating func sweepPast(_ item: DaySweep.Item) throws(AnalyticsError) {
        try update { $0.append(item, $1) }
    }

    /// Adds the days that a step of the sweep completes, one after the other: there may be a year of them, each with all
    /// samples.
    private mutating func update(
        _ step: (inout DaySweep, (DaySweep.Day) -> Void) -> Void
    ) throws(AnalyticsError) {
        var sweep = DaySweep(self.sweep.rule)
        swap(&sweep, &self.sweep)
        step(&sweep) { add($0) }
        swap(&sweep, &self.sweep)
        guard !isFull else { throw AnalyticsError(.tooManyDays, path: path) }
    }

    /// Completes all days, after the last sample.
    ///
    /// - Throws: `tooManyDays`.
    mutating func finish() throws(AnalyticsError) {
        nights.finish(&sources)
        var ready: [DaySweep.Item] = []
        heartRates.finish { ready.append($0) }
        for item in ready { try sweepPast(item) }
        try update { $0.finish($1) }
    }

    private mutating func add(_ day: DaySweep.Day) {
        parts += day.items.count
        dayCount += 1
        guard !isFull else { return }
        let names: [String] = if case .priority(let names) = merge { names } else { [] }
        let ranks = sources.ranks(first: names)
        let interval = SweptInterval(
            bounds: day.range,
            samples: day.items.map {
                RankedSample(start: $0.start, end: $0.end, value: $0.value, rank: ranks[$0.source])
            })
        let pieces: [SweptInterval.Piece]
        if case .priority = merge { pieces = interval.piecesByPriority } else { pieces = interval.allPieces }
        var (tally, running) = (DayTally(), DayTally())
        for piece in pieces {
            let source = day.items[piece.index].source
            let seconds = piece.end - piece.start
            switch series {
            case .sum, .sleep: tally.add(piece.index, source, interval.amount(piece), seconds: seconds)
            case .heartbeats:
                let beats = day.items[piece.index].value * Double(seconds) / 60
                tally.add(piece.index, source, beats, seconds: seconds)
            case .walking:
                runs.forEachPart(piece.start, piece.end) { start, end, isRunning in
                    let part = SweptInterval.Piece(index: piece.index, start: start, end: end)
                    let amount = interval.amount(part)
                    if isRunning {
                        running.add(piece.index, source, amount, seconds: end - start)
                    } else {
                        tally.add(piece.index, source, amount, seconds: end - start)
                    }
                }
            }
        }
        for (metric, tally) in zip(series.metrics, [tally, running]) {
            sums[metric, default: [:]][day.number] = tally.amount(
                &sources, ranks: ranks, keepsGreatest: merge == .maximumSource,
                isCovered: series == .heartbeats)
        }
    }
}
