import ByteText
import HealthFormats
package import HealthModel

/// The table of `query`: samples of one type, which come as they are read.
package struct QueryTable {
    private let type: AnySampleType
    private let units: UnitChoice
    private let time: LocalTime
    /// The unit that values are converted to; nil for the one of the source.
    private let unit: HealthUnit?

    /// Returns the table, without rows.
    ///
    /// - Parameters:
    ///   - type: The type of the samples.
    ///   - units: The units of their values.
    ///   - time: The formatter for their times.
    package static func table(
        _ type: AnySampleType, _ units: UnitChoice, _ time: LocalTime
    ) -> Table<AnySample> {
        let query = QueryTable(type: type, units: units, time: time, unit: units.unit(of: type))
        var table = Table(nil, EmptyCollection(), query.columns)
        table.rowsAtOnce = 1024
        return table
    }

    private static let records: TableForms = [.csv, .json]

    private var columns: [TableColumn<AnySample>] {
        let facts: [TableColumn<AnySample>] = [
            TableColumn("id", in: Self.records) { $0.id.description },
            TableColumn("type", in: Self.records) { $0.sampleType.identifier },
            // The day of what has no time.
            TableColumn("startDate", in: Self.records) { sample in
                instant(sample.startDate, sample["startDate"] ?? sample["dateComponents"])
            },
            TableColumn("endDate", in: Self.records) { instant($0.endDate, $0["endDate"]) },
            TableColumn("start", in: .text) { sample in
                sample.startDate.map { time.text($0) } ?? sample["dateComponents"] ?? sample["startDate"]
            },
            // A workout has its duration as well, and the rings of a day have no end.
            TableColumn(
                "end", in: type == .activitySummary ? [] : .text, isOptional: type == .workout, isNumber: true
            ) { sample in
                time.end(sample.endDate, from: sample.startDate)
            },
        ]
        let origin: [TableColumn<AnySample>] = [
            TableColumn("content", in: hasContentInCSV ? Self.records : .json) { sample in
                type.kind == .other && !sample.row.content.isEmpty ? JSONToken(sample.row.content) : nil
            },
            TableColumn("sourceName", title: "source") { $0.sourceName },
            TableColumn("sourceVersion", in: Self.records) { $0.sourceVersion },
            TableColumn("device", in: .csv) { $0.device?.name },
            TableColumn("device", in: .json) { sample in
                (sample.device?.properties.sorted { $0.key < $1.key }).map { properties in
                    TableObject(properties.map { ($0.key, $0.value) })
                }
            },
            TableColumn("metadata", in: .json) { sample in
                let entries = sample.metadata.entries
                return entries.isEmpty
                    ? nil : entries.map { TableObject([("key", $0.key), ("value", $0.value)]) }
            },
        ]
        return facts + values + attributes + origin
    }

    /// Whether the values of the type are nowhere but in its content.
    private var hasContentInCSV: Bool { type.kind == .other && type != .workout && type != .activitySummary }

    /// Returns a time in the zone of the days; anything else as written.
    private func instant(_ date: Timestamp?, _ text: @autoclosure () -> String?) -> String? {
        date.map { time.iso($0) } ?? text().flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The columns of what samples have no other column for.
    private var attributes: [TableColumn<AnySample>] {
        guard type.kind == .other else { return [] }
        return [
            TableColumn("attributes", in: .csv) { $0.otherAttributes(time) },
            TableColumn("attributes", in: .json) { sample in
                let attributes = sample.otherAttributes(time)
                return attributes.isEmpty ? nil : TableObject(attributes.map { ($0.name, $0.text) })
            },
        ]
    }

    /// The columns between the times and the source.
    private var values: [TableColumn<AnySample>] {
        switch type {
        case .workout: return workout
        case .activitySummary: return rings
        case .bloodPressure: return bloodPressure
        default: break
        }
        let (unitName, shownUnit) = (unit?.description, unit?.shownText)
        let measured: [TableColumn<AnySample>] = [
            TableColumn("value", in: Self.records) { value(of: $0, in: unit).map { JSONToken(written: $0) } },
            TableColumn("unit", in: Self.records) {
                quantity($0, in: unit) == nil ? Self.unit(of: $0) : unitName
            },
        ]
        guard type.kind != .quantity else {
            return measured + [
                TableColumn("value", in: .text, isNumber: true) { number(QuantitySample(row: $0.row)) },
                TableColumn("unit", in: .text) { sample in
                    quantity(sample, in: unit) == nil
                        ? Self.unit(of: sample).map(HealthUnit.shownText) : shownUnit
                },
            ]
        }
        let shown = TableColumn("value", in: .text) { text(of: $0) }
        guard type.kind == .correlation else {
            let points = TableColumn("points", in: type == .audiogram ? .csv : []) { (sample: AnySample) in
                AudiogramSample(row: sample.row).sensitivityPoints.map { DerivedColumns.point($0) }
            }
            return measured + [shown, points]
        }
        let listed = TableColumn("members", in: .csv) { (sample: AnySample) in
            CorrelationSample(row: sample.row).members.map { member in
                let unit = units.unit(of: member.sampleType)
                return DerivedColumns.member(
                    member, value(of: member, in: unit), unit: unitText(of: member, in: unit))
            }
        }
        let members = TableColumn("members", in: .json) { (sample: AnySample) in
            CorrelationSample(row: sample.row).members.map { member in
                let unit = units.unit(of: member.sampleType)
                let members: [TableObject.Member] = [
                    ("type", member.sampleType.identifier),
                    ("value", value(of: member, in: unit).map { JSONToken(written: $0) }),
                    ("unit", unitText(of: member, in: unit)),
                ]
                return TableObject(members.filter { $0.value != nil })
            }
        }
        return [shown, listed, members]
    }

    private var workout: [TableColumn<AnySample>] {
        let distance: (AnySample) -> Quantity? = {
            converted(Workout(row: $0.row).totalDistance, .distanceWalkingRunning)
        }
        let energy: (AnySample) -> Quantity? = {
            converted(Workout(row: $0.row).totalEnergyBurned, .activeEnergyBurned)
        }
        func shown(_ quantity: Quantity?) -> String? {
            quantity.map { "\(NumberText.short($0.value)) \($0.unit)" }
        }
        return [
            TableColumn("activity", in: .text) { sample in
                let workout = Workout(row: sample.row)
                return workout.activityType?.title ?? workout.activityName
            },
            TableColumn("duration", in: .text, isNumber: true) { sample in
                Workout(row: sample.row).durationSeconds.map { NumberText.duration($0) }
            },
            TableColumn("distance", in: .text, isOptional: true, isNumber: true) { shown(distance($0)) },
            TableColumn("energy", in: .text, isOptional: true, isNumber: true) { shown(energy($0)) },
            TableColumn("activity", in: Self.records) { Workout(row: $0.row).activityName },
            TableColumn("durationSeconds", in: Self.records) { sample in
                Workout(row: sample.row).durationSeconds.map {
                    JSONToken(written: NumberText.rounded($0, digits: 3))
                }
            },
            TableColumn("distance", in: Self.records) { token(distance($0)) },
            TableColumn("distanceUnit", in: Self.records) { distance($0)?.unit.description },
            TableColumn("energy", in: Self.records) { token(energy($0)) },
            TableColumn("energyUnit", in: Self.records) { energy($0)?.unit.description },
        ]
    }

    /// The names of the attributes with the goals of a day.
    static let rings = [
        "activeEnergyBurned", "activeEnergyBurnedGoal", "activeEnergyBurnedUnit", "appleMoveTime",
        "appleMoveTimeGoal", "appleMoveMinutes", "appleMoveMinutesGoal", "appleExerciseTime",
        "appleExerciseTimeGoal", "appleStandHours", "appleStandHoursGoal",
    ]

    /// The goals of a day, in records with Apple's names.
    private var rings: [TableColumn<AnySample>] {
        func shown(_ value: Quantity?, _ goal: Quantity?) -> String? {
            guard let value else { return nil }
            let numbers = [value, goal].compactMap(\.self).map { NumberText.rounded($0.value, digits: 0) }
            return "\(numbers.joined(separator: "/")) \(value.unit)"
        }
        func ring(
            _ name: String, _ value: KeyPath<ActivitySummary, Quantity?>,
            _ goal: KeyPath<ActivitySummary, Quantity?>
        ) -> TableColumn<AnySample> {
            TableColumn(name, in: .text, isNumber: true) { sample in
                let summary = ActivitySummary(row: sample.row)
                return shown(summary[keyPath: value], summary[keyPath: goal])
            }
        }
        return [
            ring("energy", \.activeEnergyBurned, \.activeEnergyBurnedGoal),
            ring("exercise", \.exerciseTime, \.exerciseTimeGoal),
            ring("stand", \.standHours, \.standHoursGoal),
        ]
            + Self.rings.map { name in
                name.hasSuffix("Unit")
                    ? TableColumn(name, in: Self.records) { $0[name] }
                    : TableColumn(name, in: Self.records) { $0[name].map { JSONToken(written: $0) } }
            }
    }

    private var bloodPressure: [TableColumn<AnySample>] {
        func part(_ sample: AnySample, _ type: SampleType<QuantitySample>) -> Quantity? {
            converted(CorrelationSample(row: sample.row).quantity(of: type), type.erased)
        }
        let systolic: (AnySample) -> Quantity? = { part($0, .bloodPressureSystolic) }
        // Both are in one unit, whatever the source wrote.
        let diastolic: (AnySample) -> Quantity? = { sample in
            part(sample, .bloodPressureDiastolic).flatMap {
                $0.converted(to: systolic(sample)?.unit ?? $0.unit)
            }
        }
        return [
            TableColumn("systolic", in: Self.records) { token(systolic($0)) },
            TableColumn("diastolic", in: Self.records) { token(diastolic($0)) },
            TableColumn("unit", in: Self.records) { (systolic($0) ?? diastolic($0))?.unit.description },
            TableColumn("value", in: .text) { sample in
                guard let systolic = systolic(sample), let diastolic = diastolic(sample) else {
                    return text(of: sample)
                }
                let values = [systolic, diastolic].map { NumberText.short($0.value) }
                return "\(values.joined(separator: "/")) \(systolic.unit)"
            },
        ]
    }

    /// Returns a number for people in the requested units: a fraction with the unit % as a percentage.
    private func number(_ sample: QuantitySample) -> String? {
        let shown = unit ?? sample.unit
        guard let value = unit.map({ sample.value(in: $0) }) ?? sample.value, unit != nil || shown == .percent
        else { return sample["value"] }
        return NumberText.short(shown == .percent ? value * 100 : value)
    }

    /// Returns for people what a sample says that has no number.
    private func text(of sample: AnySample) -> String {
        func count(_ items: [some Any], _ one: String, _ more: String) -> String {
            "\(items.count) \(items.count == 1 ? one : more)"
        }
        switch (type, type.kind) {
        case (.heartbeatSeries, _):
            return count(HeartbeatSeries(row: sample.row).heartbeats, "beat", "beats")
        case (.audiogram, _):
            let points = AudiogramSample(row: sample.row).sensitivityPoints
            return count(points, "frequency", "frequencies")
        case (_, .category):
            let name = sample.value ?? ""
            return type.categoryValues?.member(named: name)?.title ?? name
        case (_, .correlation):
            return CorrelationSample(row: sample.row).members.map { member in
                let unit = units.unit(of: member.sampleType)
                let value = [
                    value(of: member, in: unit) ?? "",
                    unitText(of: member, in: unit).map(HealthUnit.shownText),
                ]
                return ([member.sampleType.title] + value.compactMap(\.self)).joined(separator: " ")
            }.joined(separator: ", ")
        default:
            let texts = [
                sample.value, sample.unit.map(HealthUnit.shownText), sample["identifier"], sample["brand"],
            ]
            let words = texts.compactMap(\.self).filter { !$0.isEmpty }.joined(separator: " ")
            return ((words.isEmpty ? [] : [words]) + sample.shownAttributes(time)).joined(separator: ", ")
        }
    }

    /// Returns the value of a sample: as written, unless another unit is requested.
    private func value(of sample: AnySample, in unit: HealthUnit?) -> String? {
        quantity(sample, in: unit).map { Self.number($0) } ?? sample.value
    }

    /// Returns the unit of that value.
    private func unitText(of sample: AnySample, in unit: HealthUnit?) -> String? {
        quantity(sample, in: unit)?.unit.description ?? Self.unit(of: sample)
    }

    /// Returns the unit that a sample names; some apps write an empty one.
    private static func unit(of sample: AnySample) -> String? {
        sample.unit.flatMap { $0.isEmpty ? nil : $0 }
    }

    private func quantity(_ sample: AnySample, in unit: HealthUnit?) -> Quantity? {
        unit.flatMap { QuantitySample(row: sample.row).quantity?.converted(to: $0) }
    }

    private func token(_ quantity: Quantity?) -> JSONToken? {
        quantity.map { JSONToken(written: Self.number($0)) }
    }

    /// Returns the number of a quantity as written, or rounded if it was computed.
    private static func number(_ quantity: Quantity) -> String {
        quantity.text ?? NumberText.precise(quantity.value)
    }

    /// Returns a quantity in the requested units.
    private func converted(_ quantity: Quantity?, _ type: AnySampleType) -> Quantity? {
        guard let quantity, let unit = units.unit(of: type) else { return quantity }
        return quantity.converted(to: unit) ?? quantity
    }
}
