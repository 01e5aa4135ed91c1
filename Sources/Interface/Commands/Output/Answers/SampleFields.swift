import ByteText
import HealthModel
import Tables

/// The fields shown for samples of a type.
struct SampleFields {
    let type: AnySampleType
    let units: UnitChoice
    let time: LocalTime
    /// Which of the values of a type are shown.
    let form: Form
    /// The unit that values are converted to; nil for the one of the source.
    let unit: HealthUnit?

    /// What kind of values a type has, looked up once for all samples.
    enum Form {
        case workout, bloodPressure, activitySummary, heartbeatSeries, audiogram
        /// Any other type: by its kind.
        case kind(AnySampleType.Kind)

        init(_ type: AnySampleType) {
            self =
                switch type {
                case .workout: .workout
                case .bloodPressure: .bloodPressure
                case .activitySummary: .activitySummary
                case .heartbeatSeries: .heartbeatSeries
                case .audiogram: .audiogram
                default: .kind(type.kind)
                }
        }
    }

    init(type: AnySampleType, units: UnitChoice, time: LocalTime) {
        self.type = type
        self.units = units
        self.time = time
        form = Form(type)
        unit = units.unit(of: type)
    }

    /// A column of the table.
    struct Column {
        let title: String
        var alignment = TextTable.Alignment.left
    }

    /// The columns between the times and the source.
    private var ownColumns: [Column] {
        switch form {
        case .workout:
            [
                Column(title: "activity"), Column(title: "duration", alignment: .right),
                Column(title: "distance", alignment: .right), Column(title: "energy", alignment: .right),
            ]
        case .activitySummary:
            [
                Column(title: "energy", alignment: .right), Column(title: "exercise", alignment: .right),
                Column(title: "stand", alignment: .right),
            ]
        case .kind(.quantity): [Column(title: "value", alignment: .right), Column(title: "unit")]
        default: [Column(title: "value")]
        }
    }

    var columns: [Column] {
        [Column(title: "start"), Column(title: "end", alignment: .right)] + ownColumns
            + [Column(title: "source")]
    }

    /// Returns the cells of a sample.
    func row(_ sample: AnySample) -> [String] {
        let start = startText(sample)
        return [start, time.end(sample.endDate, from: sample.startDate)] + ownCells(sample)
            + [sample.sourceName ?? ""]
    }

    private func startText(_ sample: AnySample) -> String {
        sample.startDate.map { time.text($0) } ?? sample["dateComponents"] ?? sample["startDate"] ?? ""
    }

    private func ownCells(_ sample: AnySample) -> [String] {
        switch form {
        case .workout:
            let workout = Workout(row: sample.row)
            return [
                workout.activityType?.title ?? workout.activityName ?? "",
                workout.durationSeconds.map { NumberText.duration($0) } ?? "",
                quantityText(workout.totalDistance, .distanceWalkingRunning),
                quantityText(workout.totalEnergyBurned, .activeEnergyBurned),
            ]
        case .activitySummary:
            let summary = ActivitySummary(row: sample.row)
            return [
                ratio(summary.activeEnergyBurned, summary.activeEnergyBurnedGoal),
                ratio(summary.exerciseTime, summary.exerciseTimeGoal),
                ratio(summary.standHours, summary.standHoursGoal),
            ]
        case .heartbeatSeries: return [count(HeartbeatSeries(row: sample.row).heartbeats, "beat")]
        case .audiogram: return [count(AudiogramSample(row: sample.row).sensitivityPoints, "frequency")]
        case .kind(.quantity):
            let (value, unit) = self.value(QuantitySample(row: sample.row))
            return [value, unit]
        case .kind(.category):
            let name = sample.value ?? ""
            return [type.categoryValues?.member(named: name)?.title ?? name]
        case .bloodPressure, .kind(.correlation): return [members(CorrelationSample(row: sample.row))]
        case .kind:
            let texts = [sample.value, sample.unit, sample["identifier"], sample["brand"]]
            return [texts.compactMap(\.self).joined(separator: " ")]
        }
    }

    /// Returns a value with its unit in the requested units.
    private func value(_ sample: QuantitySample) -> (value: String, unit: String) {
        let text = sample["value"] ?? ""
        guard let wanted = unit else {
            return (sample.value.map { Self.shown($0, sample.unit, text) } ?? text, sample["unit"] ?? "")
        }
        guard let value = sample.value(in: wanted) else { return (text, sample["unit"] ?? "") }
        return (Self.shown(value, wanted, nil), wanted.description)
    }

    /// Returns a number for display: a fraction with the unit % as a percentage.
    private static func shown(_ value: Double, _ unit: HealthUnit?, _ text: String?) -> String {
        if unit == .percent { return NumberText.short(value * 100) }
        return text ?? NumberText.short(value)
    }

    private func quantityText(_ quantity: Quantity?, _ type: AnySampleType) -> String {
        guard let shown = converted(quantity, type) else { return "" }
        return "\(NumberText.short(shown.value)) \(shown.unit)"
    }

    private func count(_ items: [some Any], _ noun: String) -> String {
        let plural = noun.hasSuffix("y") ? noun.dropLast() + "ies" : noun + "s"
        return "\(items.count) \(items.count == 1 ? noun : plural)"
    }

    private func ratio(_ value: Quantity?, _ goal: Quantity?) -> String {
        guard let value else { return "" }
        let number = NumberText.rounded(value.value, digits: 0)
        guard let goal else { return "\(number) \(value.unit)" }
        return "\(number)/\(NumberText.rounded(goal.value, digits: 0)) \(value.unit)"
    }

    /// Returns the members of a correlation: `120/80 mmHg`.
    private func members(_ sample: CorrelationSample) -> String {
        if type == .bloodPressure,
            let systolic = converted(sample.quantity(of: .bloodPressureSystolic), .bloodPressureSystolic),
            let diastolic = converted(sample.quantity(of: .bloodPressureDiastolic), .bloodPressureDiastolic)
        {
            let values = [systolic, diastolic].map { NumberText.short($0.value) }
            return "\(values.joined(separator: "/")) \(systolic.unit)"
        }
        return sample.members.map { member in
            let (value, unit) = measurement(member)
            return "\(member.sampleType.title) \(value ?? "")\(unit.map { " " + $0 } ?? "")"
        }.joined(separator: ", ")
    }
}
