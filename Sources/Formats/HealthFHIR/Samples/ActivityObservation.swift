import ByteText
import HealthModel

/// The activity rings of a day: each of them, and its goal, is a component.
enum ActivityObservation: Sendable {
    static func write(_ sample: AnySample, _ observation: inout SampleObservation) {
        let summary = ActivitySummary(row: sample.row)
        let rings: [(name: String, title: String, value: Quantity?, goal: Quantity?, unit: HealthUnit)] = [
            (
                "activeEnergyBurned", "Active Energy", summary.activeEnergyBurned,
                summary.activeEnergyBurnedGoal, .kilocalorie
            ),
            ("appleMoveTime", "Move Time", summary.moveTime, summary.moveTimeGoal, .minute),
            ("appleExerciseTime", "Exercise Time", summary.exerciseTime, summary.exerciseTimeGoal, .minute),
            ("appleStandHours", "Stand Hours", summary.standHours, summary.standHoursGoal, .count),
        ]
        for ring in rings {
            let unit = FHIRUnit(ring.unit, name: ring.unit == .count ? "hours" : nil)
            let code = "HKActivitySummary.\(ring.name)"
            observation.add([.apple(code, ring.title)], ring.value, in: unit)
            observation.add([.apple(code + "Goal", ring.title + ", goal")], ring.goal, in: unit)
        }
        if !observation.hasComponents { observation.giveUp(.unreadableValues) }
    }
}
