public import ByteText
public import HealthModel
import HealthQueries

/// What a report contains.
public struct ReportRequest: Sendable {
    /// The sections; they appear in the order of ``ReportSection``.
    public var sections: Set<ReportSection>
    /// The time range.
    public var range: QueryTimeRange
    /// How samples of several sources are merged into one series.
    public var merge: SourceMerge
    /// The units of quantities; nil for those of the source.
    public var system: MeasurementSystem?
    /// The rule for days; nil for the store's rule.
    public var days: Days?
    /// The day on which weeks start; nil for that of the rule for days.
    public var firstWeekday: Weekday?
    /// The maximum heart rate in beats per minute, for the zones of workouts; nil for 220 less the age, where the store
    /// states the day of birth.
    public var maximumHeartRate: Double?
    /// The name of the person that the report is about, which its title then has, with the age if the source states the day
    /// of birth; nil for neither.
    public var name: String?

    /// Creates a request.
    public init(
        sections: Set<ReportSection> = Set(ReportSection.allCases), in range: QueryTimeRange = .ever,
        merge: SourceMerge = .priority(), system: MeasurementSystem? = nil, days: Days? = nil,
        firstWeekday: Weekday? = nil, maximumHeartRate: Double? = nil, name: String? = nil
    ) {
        self.sections = sections
        self.range = range
        self.merge = merge
        self.system = system
        self.days = days
        self.firstWeekday = firstWeekday
        self.maximumHeartRate = maximumHeartRate
        self.name = name
    }
}
