public import ByteText

/// The metrics of a day, or of a longer period: the sums of its days.
public struct AnalyticsRow: Sendable, Equatable {
    /// The first day.
    public let startDate: CivilDate
    /// The last day (inclusive).
    public let endDate: CivilDate
    /// The metrics that have data.
    public internal(set) var amounts: [Metric: Amount] = [:]
    /// When the row was computed or, if that changed nothing, when it last changed.
    public let recordedAt: Timestamp

    /// The first day; of the row of a day, the day.
    public var date: CivilDate { startDate }
    /// The year of the first day.
    public var year: Int { startDate.year }
    /// The month of the first day, 1...12.
    public var month: Int { startDate.month }

    /// The amount of a metric; nil if there are no data.
    public subscript(_ metric: Metric) -> Amount? { amounts[metric] }

    /// Returns the value of a metric, rounded once to a whole number; nil as well if it is too large for one.
    private func whole(_ metric: Metric) -> Int? {
        amounts[metric].flatMap { Int(exactly: $0.value.rounded()) }
    }

    /// Number of steps.
    public var steps: Int? { whole(.steps) }
    /// The distance cycled, in metres.
    public var cyclingDistance: Double? { amounts[.cyclingDistance]?.value }
    /// The distance walked, in metres.
    public var walkingDistance: Double? { amounts[.walkingDistance]?.value }
    /// The distance run, in metres.
    public var runningDistance: Double? { amounts[.runningDistance]?.value }
    /// The distance swum, in metres.
    public var swimmingDistance: Double? { amounts[.swimmingDistance]?.value }
    /// Number of strokes while swimming.
    public var swimmingStrokes: Int? { whole(.swimmingStrokes) }
    /// The distance skied cross country, in metres.
    public var crossCountrySkiingDistance: Double? { amounts[.crossCountrySkiingDistance]?.value }
    /// The distance of downhill snow sports, in metres.
    public var downhillSnowSportsDistance: Double? { amounts[.downhillSnowSportsDistance]?.value }
    /// The energy burned by moving, in kilocalories.
    public var energyActive: Double? { amounts[.energyActive]?.value }
    /// The energy burned at rest, in kilocalories.
    public var energyResting: Double? { amounts[.energyResting]?.value }
    /// Number of heartbeats in the time that measurements cover.
    public var heartbeats: Int? { whole(.heartbeats) }
    /// Number of flights of stairs.
    public var stairsClimbed: Int? { whole(.stairsClimbed) }
    /// Minutes of exercise.
    public var exerciseMinutes: Int? { whole(.exerciseMinutes) }
    /// Minutes of standing.
    public var standMinutes: Int? { whole(.standMinutes) }
    /// Minutes of sleep.
    public var sleepTotal: Int? { whole(.sleepTotal) }
    /// Minutes of deep sleep.
    public var sleepDeep: Int? { whole(.sleepDeep) }
    /// Minutes of REM sleep.
    public var sleepREM: Int? { whole(.sleepREM) }
    /// Minutes in bed.
    public var timeInBed: Int? { whole(.timeInBed) }
}
