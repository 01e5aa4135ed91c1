import CivilTime
import HealthModel
import SystemIO

/// The amounts of a series, of all days or of some.
struct ComputedSeries: Sendable {
    let series: AnalyticsSeries
    /// The days whose amounts these are, as days since 1970-01-01; nil for all days.
    var days: [ClosedRange<Int>]?
    var amounts: [Metric: [Int: Amount]] = [:]
    var facts = SeriesFacts()
    /// Number of samples that were ignored.
    var skipped = 0

    /// Whether the amount of a day is one of these.
    func covers(_ day: Int) -> Bool { days?.contains { $0.contains(day) } ?? true }
}

/// The reading of a store and the computation of series, with memory for a few days of samples of one type.
struct AnalyticsPass: Sendable {
    let store: any HealthStore
    let settings: AnalyticsSettings
    /// The database, for errors.
    let path: BytePath
    /// Called with each type when its first samples arrive, and the number of types before it.
    let willRead: @Sendable (AnySampleType, Int) -> Void

    /// The running workouts, and the length of the longest workout.
    private struct Workouts: Sendable {
        var runs: [(start: Int, end: Int)] = []
        var longest = 0

        mutating func append(_ samples: Samples<AnySample>) {
            for sample in samples {
                let workout = Workout(row: sample.row)
                let runs = workout.runs
                self.runs += runs
                if let start = workout.startDate, let end = workout.endDate {
                    longest = max(longest, end.seconds - start.seconds)
                }
                for run in runs { longest = max(longest, run.end - run.start) }
            }
        }
    }

    /// What was computed.
    struct Result: Sendable {
        var series: [ComputedSeries] = []
        /// The days that have amounts.
        var dayNumbers: Set<Int> = []
        /// The facts about the types that were read.
        var facts: [AnySampleType: SeriesFacts] = [:]
        var contents = StoreContents()
        /// Whether only changes were computed.
        var isPartial = false
    }

    /// Computes all series in one pass.
    @concurrent func all() async throws -> Result {
        var pass = store.spans(of: AnalyticsSeries.types, leading: AnalyticsSeries.workouts)
            .makeAsyncIterator()
        var next = try await pass.next()
        var result = Result()
        // An export states its zone at its end, which the first span requires.
        result.contents = try await store.contents()
        let rule = settings.days ?? result.contents.days
        var workouts = Workouts()
        var fold: SeriesFold?
        var count = 0
        while let samples = next.take() {
            if samples.type == AnalyticsSeries.workouts {
                workouts.append(samples)
                result.facts[samples.type] = SeriesFacts(longest: workouts.longest)
            } else {
                if fold?.series.type != samples.type {
                    if let done = fold.take() { try result.add(Self.finished(done), path) }
                    willRead(samples.type, count)
                    count += 1
                    fold = AnalyticsSeries.all.first { $0.type == samples.type }.map {
                        SeriesFold($0, rule, settings.merge, RunningTime(workouts.runs), path: path)
                    }
                }
                try fold?.append(samples)
            }
            next = try await pass.next()
        }
        if let done = fold { try result.add(Self.finished(done), path) }
        return result
    }

    private static func finished(_ fold: SeriesFold) throws(AnalyticsError) -> ComputedSeries {
        var fold = fold
        try fold.finish()
        return ComputedSeries(
            series: fold.series, amounts: fold.amounts,
            facts: SeriesFacts(longest: fold.longest, sources: fold.sources.sources), skipped: fold.skipped)
    }

    /// Computes the series of which samples changed: the days that they concern, or all days where those are unknown.
    ///
    /// - Parameters:
    ///   - changes: The changes.
    ///   - known: The facts about the samples before.
    @concurrent func changed(
        _ changes: SpanChanges, _ known: [AnySampleType: SeriesFacts]
    ) async throws -> Result {
        var result = Result()
        result.contents = try await store.contents()
        result.isPartial = true
        let rule = settings.days ?? result.contents.days
        let workoutChanges = changes.extents[AnalyticsSeries.workouts] ?? []
        let walking = AnalyticsSeries.walking
        var workouts = Workouts()
        if !workoutChanges.isEmpty || changes.extents[walking.type] != nil {
            for try await samples in store.spans(of: [AnalyticsSeries.workouts]) { workouts.append(samples) }
            result.facts[AnalyticsSeries.workouts] = SeriesFacts(longest: workouts.longest)
        }
        let runs = RunningTime(workouts.runs)
        let longestRun = max(workouts.longest, known[AnalyticsSeries.workouts]?.longest ?? 0)
        for (number, series) in AnalyticsSeries.all.enumerated() {
            var extents = changes.extents[series.type] ?? []
            if series == walking {
                extents += workoutChanges.map { $0.lowerBound...($0.upperBound + longestRun) }
            }
            guard !extents.isEmpty else { continue }
            willRead(series.type, number)
            if let facts = known[series.type], series != .sleep,
                let found = try await part(
                    series, extents, changes.extents[series.type] ?? [], facts, rule, runs)
            {
                try result.add(found, path)
            } else {
                // A night may be joined to any other one; and sleep is one of the smaller types.
                var fold = SeriesFold(series, rule, settings.merge, runs, path: path)
                for try await samples in store.spans(of: [series.type]) { try fold.append(samples) }
                try result.add(Self.finished(fold), path)
            }
        }
        return result
    }

    /// The seconds to which a sample matters, also if all are shorter: a heart rate applies until the next.
    private static let leastReach = 3600

    /// Computes some days of a series.
    ///
    /// - Parameters:
    ///   - series: The series.
    ///   - extents: The instants around which amounts change.
    ///   - changed: The instants at which changed samples start.
    ///   - known: The facts about the samples before.
    ///   - rule: The rule for days.
    ///   - runs: The time of running workouts.
    /// - Returns: nil if other days may be concerned as well.
    private func part(
        _ series: AnalyticsSeries, _ extents: [ClosedRange<Int>], _ changed: [ClosedRange<Int>],
        _ known: SeriesFacts, _ rule: Days, _ runs: RunningTime
    ) async throws -> ComputedSeries? {
        let reach = max(known.longest, Self.leastReach)
        let days = SpanChanges.days(extents, reach: reach, rule)
        var found = ComputedSeries(series: series, days: days)
        // The first sample of these sources is still there.
        var sources = SourceList(
            known.sources.filter { source in !changed.contains { $0.contains(source.firstStart) } })
        var longest = known.longest
        for range in days {
            let start = rule.start(ofDay: range.lowerBound) - reach
            let end = rule.start(ofDay: range.upperBound + 1) + reach
            var fold = SeriesFold(series, rule, settings.merge, runs, path: path, sources)
            let instants =
                Timestamp(
                    seconds: start, offsetMinutes: 0)..<Timestamp(
                    seconds: end, offsetMinutes: 0)
            for try await samples in store.spans(of: [series.type], in: .instants(instants)) {
                try fold.append(samples)
            }
            try fold.finish()
            sources = fold.sources
            longest = max(longest, fold.longest)
            found.skipped += fold.skipped
            for (metric, amounts) in fold.amounts {
                for (day, amount) in amounts where range.contains(day) {
                    found.amounts[metric, default: [:]][day] = amount
                }
            }
        }
        guard longest <= reach else { return nil }
        // The priority of a source must be what it was on all other days.
        for source in known.sources {
            guard let now = sources.sources.first(where: { $0.name == source.name }),
                now.firstStart <= source.firstStart, now.kind == source.kind
            else { return nil }
        }
        found.facts = SeriesFacts(longest: longest, sources: sources.sources)
        return found
    }
}

extension AnalyticsPass.Result {
    fileprivate mutating func add(_ computed: ComputedSeries, _ path: BytePath) throws(AnalyticsError) {
        series.append(computed)
        for amounts in computed.amounts.values { dayNumbers.formUnion(amounts.keys) }
        if dayNumbers.count > AnalyticsError.mostDays { throw AnalyticsError(.tooManyDays, path: path) }
        facts[computed.series.type] = computed.facts
    }

    /// Returns the amounts by day after the computation, at the places of their metrics.
    ///
    /// - Parameter stored: The rows of days before it, which count if only changes were computed.
    func days(_ stored: [StoredRow]) -> [Int: [Amount?]] {
        let empty = [Amount?](repeating: nil, count: Metric.allCases.count)
        var days: [Int: [Amount?]] = [:]
        for row in isPartial ? stored : [] {
            days[row.start.daysSince1970] = Metric.allCases.map { row.amounts[$0] }
        }
        for computed in series {
            for metric in computed.series.metrics {
                for day in days.keys where computed.covers(day) { days[day]?[metric.place] = nil }
                for (day, amount) in computed.amounts[metric] ?? [:] {
                    days[day, default: empty][metric.place] = amount
                }
            }
        }
        return days.filter { $0.value.contains { $0 != nil } }
    }
}
