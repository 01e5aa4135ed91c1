public import ByteText
public import HealthModel

/// The rules by which analytics are computed, which a database keeps.
public struct AnalyticsSettings: Sendable, Equatable {
    /// The rule for days; nil for that of each store.
    public var days: Days?
    /// The day on which weeks start.
    public var firstWeekday: Weekday
    /// How samples of several sources are merged.
    public var merge: SourceMerge

    /// Creates settings: by default, days of the export, weeks from Monday, and merging by priority.
    public init(days: Days? = nil, firstWeekday: Weekday = .monday, merge: SourceMerge = .priority()) {
        self.days = days
        self.firstWeekday = firstWeekday
        self.merge = merge
    }
}

/// A step of computing analytics.
public struct InitializationProgress: Sendable, Equatable {
    /// The progress in percent, 0 to 100.
    public let percentage: Double
    /// What is being done.
    public let currentTask: String
}

/// The result of computing analytics.
public struct AnalyticsUpdate: Sendable, Equatable {
    /// The number of rows that were added, changed or removed, by period.
    public internal(set) var changedRows: [AnalyticsPeriod: Int] = [:]
    /// The number of days with data.
    public internal(set) var days = 0
    /// Number of samples that were ignored because they have no start, no number or an incompatible unit.
    public internal(set) var skipped = 0
    /// Whether the store is the one that was processed last, so that nothing had to be read.
    public internal(set) var isUnchanged = false
}
