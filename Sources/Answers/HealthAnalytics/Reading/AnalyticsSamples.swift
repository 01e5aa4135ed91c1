import CivilTime
import HealthModel
import SampleBatches

/// All samples that analytics are computed from, packed, from one pass over a store.
struct AnalyticsSamples: Sendable {
    /// The samples of a quantity, or of sleep with the stages as values.
    struct Series: Sendable {
        var samples = PackedSamples()
        var sources = SourceList()
    }

    private(set) var series: [AnySampleType: Series] = [:]
    /// When running workouts start and end.
    private(set) var runs: [(start: Int, end: Int)] = []
    /// Number of samples without a start, a number or a convertible unit.
    private(set) var skipped = 0

    /// The stage of sleep samples with an unknown value.
    static let unknownStage = 7

    /// The quantities, with the units in which they are added up.
    private static let quantities: [(type: SampleType<QuantitySample>, unit: HealthUnit)] =
        Metric.allCases.compactMap { metric in metric.summedType.map { ($0, metric.unit) } } + [
            (.distanceWalkingRunning, .meter()), (.heartRate, .count / .minute),
        ]

    /// The types that are read.
    static let types: [AnySampleType] =
        quantities.map(\.type.erased) + [
            SampleType<CategorySample>.sleepAnalysis.erased, SampleType<Workout>.workout.erased,
        ]

    /// Reads a store.
    ///
    /// - Parameter willRead: Called with each type when its first samples arrive, and the number of types before it.
    @concurrent static func read(
        _ store: any HealthStore, willRead: @Sendable (AnySampleType, Int) -> Void
    ) async throws -> AnalyticsSamples {
        var samples = AnalyticsSamples()
        var seen: Set<AnySampleType> = []
        for try await batch in store.unorderedBatches(of: types) {
            let type = batch.sampleType
            if seen.insert(type).inserted { willRead(type, seen.count - 1) }
            samples.append(batch)
        }
        return samples
    }

    private mutating func append(_ batch: SampleBatch) {
        if let nights = batch.samples(of: .sleepAnalysis) {
            appendSleep(nights)
        } else if let workouts = batch.samples(of: .workout) {
            for workout in workouts { runs += Self.runs(of: workout) }
        } else if let (type, unit) = Self.quantities.first(where: { $0.type.erased == batch.sampleType }),
            let found = batch.samples(of: type)
        {
            append(found, type.erased, unit)
        }
    }

    private mutating func append(
        _ samples: Samples<QuantitySample>, _ type: AnySampleType, _ unit: HealthUnit
    ) {
        var columns = QuantityColumns(unit: unit)
        columns.append(samples)
        skipped += columns.skipped
        var own = series.removeValue(forKey: type) ?? Series()
        let numbers = columns.sources.indices.map { number in
            own.sources.number(
                of: columns.sources[number].name, columns.sources[number].device,
                start: columns.firstStart(ofSource: number))
        }
        for index in 0..<columns.count {
            own.samples.append(
                start: columns.starts[index], end: columns.ends[index], value: columns.values[index],
                source: numbers[columns.sourceNumbers[index]])
        }
        series[type] = own
    }

    private mutating func appendSleep(_ samples: Samples<CategorySample>) {
        let type = SampleType<CategorySample>.sleepAnalysis.erased
        var own = series.removeValue(forKey: type) ?? Series()
        for sample in samples {
            guard let start = sample.startDate?.seconds else {
                skipped += 1
                continue
            }
            let stage = sample.rawValue.flatMap { SleepAnalysisValue(rawValue: $0) }
            own.samples.append(
                start: start, end: sample.endDate?.seconds ?? start,
                value: Double(stage?.rawValue ?? Self.unknownStage),
                source: own.sources.number(of: sample.sourceName ?? "", sample.device, start: start))
        }
        series[type] = own
    }

    /// Returns when a workout's runs start and end: all of a run, and the parts of a triathlon that measured running.
    private static func runs(of workout: Workout) -> [(start: Int, end: Int)] {
        func interval(_ start: Timestamp?, _ end: Timestamp?) -> [(start: Int, end: Int)] {
            guard let start, let end, start.seconds < end.seconds else { return [] }
            return [(start.seconds, end.seconds)]
        }
        switch workout.activityType {
        case .running: return interval(workout.startDate, workout.endDate)
        case .swimBikeRun:
            return workout.activities.filter { activity in
                activity.statistics.contains {
                    $0.type == SampleType<QuantitySample>.distanceWalkingRunning.erased
                }
            }.flatMap { interval($0.startDate, $0.endDate) }
        default: return []
        }
    }

    /// Returns the samples of a type as columns, and releases them; nil if there are none.
    mutating func remove(_ type: AnySampleType) -> (columns: SampleColumns, sources: SourceList)? {
        guard var own = series.removeValue(forKey: type) else { return nil }
        return (own.samples.removeAll(), own.sources)
    }
}
