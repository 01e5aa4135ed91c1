public import HealthModel

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
    /// The value of the latest sample.
    case mostRecent = "latest"
    /// The total duration of the samples.
    case duration

    /// Returns the default options for a type: the sum, or average, minimum and maximum.
    public static func standard(for type: AnySampleType) -> [StatisticsOption] {
        type.aggregationStyle == .cumulative ? [.sum] : [.average, .minimum, .maximum]
    }

    /// Returns whether it is applicable to a type: steps are not averaged, heart rates are not added up.
    public func fits(_ type: AnySampleType) -> Bool {
        guard let style = type.aggregationStyle else { return true }
        return switch self {
        case .sum: style == .cumulative
        case .average, .minimum, .maximum: style != .cumulative
        case .mostRecent, .duration: true
        }
    }
}
