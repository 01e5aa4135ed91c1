/// How samples of a quantity are aggregated into one number, named like HealthKit's `HKQuantityAggregationStyle`.
public enum AggregationStyle: String, Sendable, CaseIterable, Codable {
    /// Added up.
    case cumulative
    /// The mean, with equal weights.
    case discreteArithmetic
    /// The mean, weighted by time.
    case discreteTemporallyWeighted
    /// The level of a steady sound with the same energy.
    case discreteEquivalentContinuousLevel
}
