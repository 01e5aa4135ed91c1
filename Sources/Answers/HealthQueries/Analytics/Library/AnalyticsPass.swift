import ByteText
import HealthModel
import SystemIO

/// One reading of a store that computes the amounts of all days, with memory for a few days of samples of one type.
struct AnalyticsPass: Sendable {
    /// The amounts by day, as days since 1970-01-01, at the places of their metrics.
    private(set) var days: [Int: [Amount?]] = [:]
    private(set) var contents = StoreContents()
    /// The names of the sources of the samples.
    private(set) var sources: Set<String> = []
    /// Number of samples that were ignored.
    private(set) var skipped = 0

    /// Reads a store.
    ///
    /// - Parameters:
    ///   - store: The store.
    ///   - settings: The rules.
    ///   - path: The database, for errors.
    ///   - willRead: Called with each type when its first samples arrive, and the number of types before it.
    @concurrent init(
        _ store: any HealthStore, _ settings: AnalyticsSettings, path: BytePath,
        willRead: @Sendable (AnySampleType, Int) -> Void
    ) async throws {
        var pass = store.spans(of: AnalyticsSeries.types, leading: AnalyticsSeries.workouts)
            .makeAsyncIterator()
        var next = try await pass.next()
        // An export states its zone at its end, which the first span requires.
        contents = try await store.contents()
        var runs: [(start: Int, end: Int)] = []
        var fold: SeriesFold?
        var count = 0
        while let samples = next.take() {
            if samples.type == AnalyticsSeries.workouts {
                for sample in samples { runs += Workout(row: sample.row).runs }
            } else {
                if fold?.series.type != samples.type {
                    if let done = fold.take() { try finish(done, path) }
                    willRead(samples.type, count)
                    count += 1
                    fold = AnalyticsSeries.all.first { $0.type == samples.type }.map {
                        SeriesFold(
                            $0, settings.days ?? contents.days, settings.merge, RunningTime(runs), path: path)
                    }
                }
                try fold?.append(samples)
            }
            next = try await pass.next()
        }
        if let done = fold { try finish(done, path) }
    }

    private mutating func finish(_ fold: SeriesFold, _ path: BytePath) throws(AnalyticsError) {
        var fold = fold
        try fold.finish()
        skipped += fold.skipped
        sources.formUnion(fold.sources)
        let empty = [Amount?](repeating: nil, count: Metric.allCases.count)
        for (metric, amounts) in fold.amounts {
            for (day, amount) in amounts { days[day, default: empty][metric.place] = amount }
        }
        if days.count > AnalyticsError.mostDays { throw AnalyticsError(.tooManyDays, path: path) }
    }
}
