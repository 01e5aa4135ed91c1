import HealthModel

/// Attributes of an element that are numbers, and the one that has their unit.
struct MeasuredAttributes {
    let values: [String]
    let unit: String
    /// The type whose unit they get; nil for the one that the element names.
    let type: AnySampleType?

    /// Returns the measured attributes of an element that has units.
    static func all(of element: String) -> [MeasuredAttributes] {
        switch element {
        case "Record": [MeasuredAttributes(values: ["value"], unit: "unit", type: nil)]
        case "WorkoutStatistics":
            [MeasuredAttributes(values: ["sum", "average", "minimum", "maximum"], unit: "unit", type: nil)]
        case "Workout":
            [
                MeasuredAttributes(
                    values: ["totalDistance"], unit: "totalDistanceUnit", type: .distanceWalkingRunning),
                MeasuredAttributes(
                    values: ["totalEnergyBurned"], unit: "totalEnergyBurnedUnit", type: .activeEnergyBurned),
            ]
        case "ActivitySummary":
            [
                MeasuredAttributes(
                    values: ["activeEnergyBurned", "activeEnergyBurnedGoal"], unit: "activeEnergyBurnedUnit",
                    type: .activeEnergyBurned)
            ]
        default: []
        }
    }
}
