public import HealthModel

/// What a row of analytics states about its period.
public enum Metric: String, Sendable, Hashable, CaseIterable, Codable {
    /// Steps.
    case steps
    /// The distance cycled.
    case cyclingDistance
    /// The distance walked: all that was walked or run outside of running workouts.
    case walkingDistance
    /// The distance run: the part of walking and running that lies in running workouts.
    case runningDistance
    /// The distance swum.
    case swimmingDistance
    /// Strokes while swimming.
    case swimmingStrokes
    /// The distance skied cross country.
    case crossCountrySkiingDistance
    /// The distance of downhill snow sports.
    case downhillSnowSportsDistance
    /// The energy burned by moving.
    case energyActive
    /// The energy burned at rest.
    case energyResting
    /// Beats of the heart, in the time that measurements cover.
    case heartbeats
    /// Flights of stairs climbed.
    case stairsClimbed
    /// Minutes of exercise.
    case exerciseMinutes
    /// Minutes of standing.
    case standMinutes
    /// Minutes of sleep in any stage.
    case sleepTotal
    /// Minutes of deep sleep.
    case sleepDeep
    /// Minutes of REM sleep.
    case sleepREM
    /// Minutes in bed, which are not counted as sleep.
    case timeInBed

    /// The unit of its values.
    public var unit: HealthUnit {
        switch self {
        case .steps, .swimmingStrokes, .heartbeats, .stairsClimbed: .count
        case .cyclingDistance, .walkingDistance, .runningDistance, .swimmingDistance,
            .crossCountrySkiingDistance, .downhillSnowSportsDistance:
            .meter()
        case .energyActive, .energyResting: .kilocalorie
        case .exerciseMinutes, .standMinutes, .sleepTotal, .sleepDeep, .sleepREM, .timeInBed: .minute
        }
    }

    /// Whether its values are rounded to whole numbers when people read them.
    public var isWhole: Bool {
        unit != .meter() && unit != .kilocalorie
    }

    /// Returns the rule by which its values are computed, in words.
    ///
    /// - Parameter merge: The rule for several sources.
    public func rule(_ merge: String) -> String {
        switch self {
        case .sleepTotal, .sleepDeep, .sleepREM, .timeInBed:
            "one stage of all sources at a time, by night, on the day on which it ends"
        case .heartbeats: "heart rate over the covered time; \(merge)"
        case .walkingDistance: "outside of running workouts; \(merge)"
        case .runningDistance: "in running workouts; \(merge)"
        default: merge
        }
    }

    /// The type whose samples are added up; nil if more than adding up is needed.
    var summedType: SampleType<QuantitySample>? {
        switch self {
        case .steps: .stepCount
        case .cyclingDistance: .distanceCycling
        case .swimmingDistance: .distanceSwimming
        case .swimmingStrokes: .swimmingStrokeCount
        case .crossCountrySkiingDistance: .distanceCrossCountrySkiing
        case .downhillSnowSportsDistance: .distanceDownhillSnowSports
        case .energyActive: .activeEnergyBurned
        case .energyResting: .basalEnergyBurned
        case .stairsClimbed: .flightsClimbed
        case .exerciseMinutes: .appleExerciseTime
        case .standMinutes: .appleStandTime
        case .walkingDistance, .runningDistance, .heartbeats, .sleepTotal, .sleepDeep, .sleepREM,
            .timeInBed:
            nil
        }
    }

    /// The place of its value in a row.
    var place: Int { Self.places[self] ?? 0 }

    private static let places = Dictionary(
        uniqueKeysWithValues: allCases.enumerated().map { ($1, $0) })
}
