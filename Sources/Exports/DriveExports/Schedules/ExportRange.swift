/// The period from which samples are exported, counted back from the run.
public enum ExportRange: String, Sendable, CaseIterable {
    /// All samples.
    case all
    /// The samples of the last 24 hours.
    case day = "24h"
    /// The samples of the last 7 days.
    case week = "7d"
    /// The samples of the last 30 days.
    case month = "30d"

    /// The length of the period in seconds; nil for all.
    public var seconds: Int? {
        switch self {
        case .all: nil
        case .day: 86400
        case .week: 7 * 86400
        case .month: 30 * 86400
        }
    }
}
