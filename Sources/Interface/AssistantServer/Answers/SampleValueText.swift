import HealthModel
import Tables

/// The values of samples that are no numbers, as texts.
enum SampleValueText {
    /// Returns what a sample says besides its times, unit and source; nil if that is nothing.
    static func text(of sample: AnySample, _ type: AnySampleType, _ time: LocalTime) -> String? {
        let texts: [String] =
            switch type {
            case .workout: parts(of: Workout(row: sample.row))
            case .activitySummary: parts(of: ActivitySummary(row: sample.row))
            case .audiogram: AudiogramSample(row: sample.row).sensitivityPoints.map { text(of: $0) }
            case _ where type.kind == .correlation: [members(of: CorrelationSample(row: sample.row))]
            default: parts(of: sample, type) + sample.shownAttributes(time)
            }
        return texts.isEmpty ? nil : ForeignText.shown(texts).joined(separator: ", ")
    }

    private static func parts(of sample: AnySample, _ type: AnySampleType) -> [String] {
        let value = sample.value.map { type.categoryValues?.member(named: $0)?.title ?? $0 }
        // Of what has no value, such as a clinical record or a prescription, this tells which one it is.
        return [value, sample["identifier"], sample["brand"]].compactMap(\.self)
    }

    /// Returns the quantities of a correlation: `bloodPressureSystolic 120 mmHg, bloodPressureDiastolic 80 mmHg`.
    private static func members(of correlation: CorrelationSample) -> String {
        correlation.quantities.map { quantity in
            let value = quantity.value.map { NumberText.precise($0) } ?? ""
            return
                "\(quantity.sampleType.shortName) \(value) \(HealthUnit.shownText(of: quantity.row["unit"] ?? ""))"
        }.joined(separator: ", ")
    }

    /// Returns the activity and the totals: `running`, `30 min`, `5.2 km`, `310 kcal`.
    private static func parts(of workout: Workout) -> [String] {
        let totals: [(value: Double?, unit: String)] = [
            (workout.minutes, "min"), (workout.kilometers, "km"), (workout.kilocalories, "kcal"),
        ]
        return [workout.activityTitle]
            + totals.compactMap { total in
                total.value.map { "\(NumberText.rounded($0, digits: 2)) \(total.unit)" }
            }
    }

    /// Returns the rings with their goals: `energy 310/400 kcal`.
    private static func parts(of summary: ActivitySummary) -> [String] {
        let move =
            ring("energy", summary.activeEnergyBurned, summary.activeEnergyBurnedGoal)
            ?? ring("move", summary.moveTime, summary.moveTimeGoal)
        return [
            move, ring("exercise", summary.exerciseTime, summary.exerciseTimeGoal),
            ring("stand", summary.standHours, summary.standHoursGoal, unit: "h"),
        ].compactMap(\.self)
    }

    private static func ring(
        _ name: String, _ quantity: Quantity?, _ goal: Quantity?, unit: String? = nil
    ) -> String? {
        guard let quantity else { return nil }
        let numbers = [quantity, goal].compactMap(\.self).map { NumberText.rounded($0.value, digits: 0) }
        return "\(name) \(numbers.joined(separator: "/")) \(unit ?? quantity.unit.description)"
    }

    /// Returns what was heard at a frequency: `1000 Hz left 10 dBHL right 15 dBHL`.
    private static func text(of point: AudiogramSample.SensitivityPoint) -> String {
        let values = [("", point.frequency), ("left ", point.leftEar), ("right ", point.rightEar)]
        return values.compactMap { name, quantity in
            quantity.map { "\(name)\(NumberText.short($0.value)) \($0.unit)" }
        }.joined(separator: " ")
    }
}
