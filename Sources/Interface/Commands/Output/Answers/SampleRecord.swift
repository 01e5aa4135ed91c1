import ByteText
import HealthModel
import Tables

/// Samples as JSON and CSV, with the same names in both.
extension SampleFields {
    /// The CSV columns.
    var csvColumns: [String] {
        ["id", "type", "start", "end"] + valueColumns + ["source", "sourceVersion", "device"]
    }

    private var valueColumns: [String] {
        switch form {
        case .workout:
            ["activity", "durationSeconds", "distance", "distanceUnit", "energy", "energyUnit"]
        case .bloodPressure: ["systolic", "diastolic", "unit"]
        case .activitySummary: Self.ringNames
        default: ["value", "unit"]
        }
    }

    /// The columns that are always text, even if a value looks like a number.
    private static let textColumns: Set<String> = [
        "activity", "unit", "distanceUnit", "energyUnit", "activeEnergyBurnedUnit",
    ]

    /// The attributes of an activity summary, with Apple's names.
    private static let ringNames = [
        "activeEnergyBurned", "activeEnergyBurnedGoal", "activeEnergyBurnedUnit", "appleMoveTime",
        "appleMoveTimeGoal", "appleMoveMinutes", "appleMoveMinutesGoal", "appleExerciseTime",
        "appleExerciseTimeGoal", "appleStandHours", "appleStandHoursGoal",
    ]

    /// Returns the CSV fields of a sample.
    func csv(_ sample: AnySample) -> [String] {
        let facts = [
            sample.id.description, sample.sampleType.identifier,
            start(sample), instant(sample.endDate, sample["endDate"]),
        ]
        let origin = [sample.sourceName, sample.sourceVersion, sample.device?.name]
        return facts + (values(sample) + origin).map { $0 ?? "" }
    }

    /// Returns when a sample starts, or its day if it has no time.
    private func start(_ sample: AnySample) -> String {
        instant(sample.startDate, sample["startDate"] ?? sample["dateComponents"])
    }

    /// Returns a time in the zone of the days; anything else as written.
    private func instant(_ date: Timestamp?, _ text: @autoclosure () -> String?) -> String {
        date.map { time.iso($0) } ?? text() ?? ""
    }

    private func values(_ sample: AnySample) -> [String?] {
        switch form {
        case .workout:
            let workout = Workout(row: sample.row)
            let distance = converted(workout.totalDistance, .distanceWalkingRunning)
            let energy = converted(workout.totalEnergyBurned, .activeEnergyBurned)
            return [
                workout.activityName,
                workout.durationSeconds.map { NumberText.rounded($0, digits: 3) },
                Self.number(distance), distance?.unit.description, Self.number(energy),
                energy?.unit.description,
            ]
        case .bloodPressure:
            let pressure = CorrelationSample(row: sample.row)
            let systolic = converted(
                pressure.quantity(of: .bloodPressureSystolic), .bloodPressureSystolic)
            let diastolic = converted(
                pressure.quantity(of: .bloodPressureDiastolic), .bloodPressureDiastolic)
            return [
                Self.number(systolic), Self.number(diastolic), (systolic ?? diastolic)?.unit.description,
            ]
        case .activitySummary: return Self.ringNames.map { sample[$0] }
        default:
            let (value, unit) = measurement(sample)
            return [value, unit]
        }
    }

    /// Returns the value and the unit of a sample: as written, unless other units were requested.
    func measurement(_ sample: AnySample) -> (value: String?, unit: String?) {
        let type = sample.sampleType
        guard type.kind == .quantity, let unit = units.unit(of: type),
            let converted = QuantitySample(row: sample.row).quantity?.converted(to: unit)
        else { return (sample.value, sample.unit) }
        return (Self.number(converted), unit.description)
    }

    /// Returns the number of a quantity as written, or rounded if it was computed.
    private static func number(_ quantity: Quantity?) -> String? {
        quantity.map { $0.text ?? NumberText.precise($0.value) }
    }

    /// Returns a quantity in the requested units.
    func converted(_ quantity: Quantity?, _ type: AnySampleType) -> Quantity? {
        guard let quantity, let unit = units.unit(of: type) else { return quantity }
        return quantity.converted(to: unit) ?? quantity
    }

    /// Returns a sample as a JSON object.
    func json(_ sample: AnySample) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("id", sample.id.description)
            writer.member("type", sample.sampleType.identifier)
            let times = [("start", start(sample)), ("end", instant(sample.endDate, sample["endDate"]))]
            for (name, text) in times where !text.isEmpty { writer.member(name, text) }
            for (name, value) in zip(valueColumns, values(sample)) {
                guard let value else { continue }
                writer.key(name)
                if Self.textColumns.contains(name) {
                    writer.string(value)
                } else {
                    Self.write(value, &writer)
                }
            }
            if case .kind(.correlation) = form { members(sample, &writer) }
            if type.kind == .other, !sample.row.content.isEmpty {
                writer.key("content")
                writer.raw(sample.row.content.span)
            }
            writeOrigin(sample, &writer)
            Self.writeMetadata(sample, &writer)
        }
        return writer.bytes
    }

    /// Writes the metadata of a sample, if it has any.
    static func writeMetadata(_ sample: AnySample, _ writer: inout JSONWriter) {
        let entries = sample.metadata.entries
        guard !entries.isEmpty else { return }
        writer.key("metadata")
        writer.array { writer in
            for entry in entries {
                writer.object { writer in
                    writer.member("key", entry.key)
                    writer.member("value", entry.value)
                }
            }
        }
    }

    /// Writes the source and the device of a sample, the same for all samples of a context.
    func writeOrigin(_ sample: AnySample, _ writer: inout JSONWriter) {
        if let source = sample.sourceName { writer.member("source", source) }
        if let version = sample.sourceVersion { writer.member("sourceVersion", version) }
        if let device = sample.device {
            writer.key("device")
            writer.object { writer in
                for (name, value) in device.properties.sorted(by: { $0.key < $1.key }) {
                    writer.member(name, value)
                }
            }
        }
    }

    private func members(_ sample: AnySample, _ writer: inout JSONWriter) {
        writer.key("members")
        writer.array { writer in
            for member in CorrelationSample(row: sample.row).members {
                writer.object { writer in
                    writer.member("type", member.sampleType.identifier)
                    let (value, unit) = measurement(member)
                    if let value {
                        writer.key("value")
                        Self.write(value, &writer)
                    }
                    if let unit { writer.member("unit", unit) }
                }
            }
        }
    }

    /// Writes a number unchanged, and anything else as text.
    private static func write(_ value: String, _ writer: inout JSONWriter) {
        let bytes = Array(value.utf8)
        if JSONNumber.matches(bytes.span) { writer.raw(bytes.span) } else { writer.string(value) }
    }
}
