/// The sums and averages of a workout, or of an activity's share of it.
///
/// Version 12 has the unit, although its declaration lacks it.
struct WorkoutStatistics {
    private let workout: Workout
    private let context: ExportContext
    private let share: Double

    init(_ workout: Workout, _ context: ExportContext, share: Double) {
        self.workout = workout
        self.context = context
        self.share = share
    }

    func append(_ time: Range<Int>, to parent: inout XMLStream) {
        var chance = workout.chance
        appendSum("HKQuantityTypeIdentifierActiveEnergyBurned", workout.energy, "kcal", time, to: &parent)
        appendSum(
            "HKQuantityTypeIdentifierBasalEnergyBurned",
            FixedPoint(units: workout.length * 21_903, digits: 6), "kcal", time, to: &parent)
        if let type = workout.kind.distanceType {
            appendSum(type, workout.distance, workout.kind.distanceUnit, time, to: &parent)
        }
        element("HKQuantityTypeIdentifierHeartRate", time, to: &parent) { statistics in
            let average = FixedPoint(thousandths: 98_000...142_000, digits: 3, from: &chance)
            statistics.attribute("average", average)
            statistics.attribute("minimum", chance.pick(from: 62...97))
            statistics.attribute("maximum", chance.pick(from: 143...186))
            statistics.attribute("unit", "count/min")
        }
    }

    private func appendSum(
        _ type: String, _ sum: FixedPoint, _ unit: String, _ time: Range<Int>, to parent: inout XMLStream
    ) {
        element(type, time, to: &parent) { statistics in
            let units = Int(Double(sum.units) * share)
            statistics.attribute("sum", FixedPoint(units: units, digits: sum.digits))
            statistics.attribute("unit", unit)
        }
    }

    private func element(
        _ type: String, _ time: Range<Int>, to parent: inout XMLStream, _ content: (inout XMLStream) -> Void
    ) {
        parent.element("WorkoutStatistics") { statistics in
            statistics.attribute("type", type)
            statistics.attribute("startDate", time.lowerBound, context.clock)
            statistics.attribute("endDate", time.upperBound, context.clock)
            content(&statistics)
        }
    }
}
