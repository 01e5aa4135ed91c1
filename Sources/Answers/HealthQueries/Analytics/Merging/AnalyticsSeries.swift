import HealthModel

/// A series of samples of one type, and the metrics that are computed from it.
enum AnalyticsSeries: Sendable, Hashable {
    /// A quantity that is added up.
    case sum(Metric)
    /// The distance walked and run, which running workouts split.
    case walking
    /// Heart rates.
    case heartbeats
    /// Stages of sleep.
    case sleep

    /// All series.
    static let all: [AnalyticsSeries] =
        Metric.allCases.filter { $0.summedType != nil }.map { .sum($0) } + [.walking, .heartbeats, .sleep]

    /// The type of the workouts that tell running from walking.
    static let workouts = SampleType<Workout>.workout.erased
    /// All types that analytics are computed from.
    static let types: [AnySampleType] = all.map(\.type) + [workouts]

    /// The quantity; nil for sleep.
    var quantity: (type: SampleType<QuantitySample>, unit: HealthUnit)? {
        switch self {
        case .sum(let metric): metric.summedType.map { ($0, metric.unit) }
        case .walking: (.distanceWalkingRunning, .meter())
        case .heartbeats: (.heartRate, .count / .minute)
        case .sleep: nil
        }
    }

    /// The type of the samples.
    var type: AnySampleType {
        quantity?.type.erased ?? SampleType<CategorySample>.sleepAnalysis.erased
    }

    /// The metrics.
    var metrics: [Metric] {
        switch self {
        case .sum(let metric): [metric]
        case .walking: [.walkingDistance, .runningDistance]
        case .heartbeats: [.heartbeats]
        case .sleep: [.sleepTotal, .sleepDeep, .sleepREM, .timeInBed]
        }
    }
}
