public import HealthModel

/// What is computed of the samples of an interval.
public enum StatisticsOption: String, Sendable, Hashable, CaseIterable, Codable {
    /// The sum, for quantities that are added up.
    case sum
    /// The average, by the aggregation style of the type.
    case average = "avg"
    /// The least value.
    case minimum = "min"
    /// The greatest value.
    case maximum = "max"
    /// The value of the latest sample.
    case mostRecent = "latest"
    /// The lengths of the samples, added up.
    case duration

    /// Returns what is computed by default: the sum, or average, minimum and maximum.
    public static func standard(for type: AnySampleType) -> [StatisticsOption] {
        type.aggregationStyle == .cumulative ? [.sum] : [.average, .minimum, .maximum]
    }

    /// Whether it means something for a type: steps are not averaged, heart rates not added up.
    public func fits(_ type: AnySampleType) -> Bool {
        guard let style = type.aggregationStyle else { return true }
        return switch self {
        case .sum: style == .cumulative
        case .average, .minimum, .maximum: style != .cumulative
        case .mostRecent, .duration: true
        }
    }
}
