import HealthModel
import JSONText
import SampleBatches

/// Samples as JSON and CSV: the same words in both.
extension SampleFields {
    /// The columns of CSV.
    var csvColumns: [String] {
        ["id", "type", "start", "end"] + valueColumns + ["source", "sourceVersion", "device"]
    }

    private var valueColumns: [String] {
        switch type {
        case .workout:
            ["activity", "durationSeconds", "distance", "distanceUnit", "energy", "energyUnit"]
        case .bloodPressure: ["systolic", "diastolic", "unit"]
        default: ["value", "unit"]
        }
    }

    /// Returns the fields of CSV.
    func csv(_ sample: AnySample) -> [String] {
        let facts = [
            sample.id.description, sample.sampleType.identifier,
            instant(sample.startDate, sample, "startDate"), instant(sample.endDate, sample, "endDate"),
        ]
        let origin = [sample.sourceName, sample.sourceVersion, sample.device?.name]
        return facts + (values(sample) + origin).map { $0 ?? "" }
    }

    /// Returns a time with the offset that clocks in the zone of the days have; anything else as written.
    private func instant(_ date: Timestamp?, _ sample: AnySample, _ name: String) -> String {
        date.map { time.days.timestamp($0.seconds).iso } ?? sample[name] ?? sample["dateComponents"] ?? ""
    }

    private func values(_ sample: AnySample) -> [String?] {
        switch type {
        case .workout:
            let workout = Workout(row: sample.row)
            let distance = converted(workout.totalDistance, .distanceWalkingRunning)
            let energy = converted(workout.totalEnergyBurned, .activeEnergyBurned)
            return [
                workout.activityName,
                workout.duration?.value(in: .second()).map { NumberText.rounded($0, digits: 3) },
                Self.number(distance), distance?.unit.description, Self.number(energy),
                energy?.unit.description,
            ]
        case .bloodPressure:
            let pressure = CorrelationSample(row: sample.row)
            let systolic = pressure.quantity(of: .bloodPressureSystolic)
            let diastolic = pressure.quantity(of: .bloodPressureDiastolic)
            return [
                Self.number(systolic), Self.number(diastolic), systolic?.unit.description,
            ]
        default:
            if type.kind == .quantity, let unit = units.unit(of: type),
                let value = QuantitySample(row: sample.row).value(in: unit)
            {
                return [NumberText.rounded(value, digits: 6), unit.description]
            }
            return [sample.value, sample.unit]
        }
    }

    /// Returns the number of a quantity as it was written; one that was computed is rounded.
    private static func number(_ quantity: Quantity?) -> String? {
        quantity.map { $0.text ?? NumberText.rounded($0.value, digits: 6) }
    }

    private func converted(_ quantity: Quantity?, _ type: AnySampleType) -> Quantity? {
        guard let quantity, let unit = units.unit(of: type) else { return quantity }
        return quantity.converted(to: unit) ?? quantity
    }

    /// Returns a sample as a JSON object.
    func json(_ sample: AnySample) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("id", sample.id.description)
            writer.member("type", sample.sampleType.identifier)
            writer.member("start", instant(sample.startDate, sample, "startDate"))
            if sample.endDate != nil || sample["endDate"] != nil {
                writer.member("end", instant(sample.endDate, sample, "endDate"))
            }
            for (name, value) in zip(valueColumns, values(sample)) {
                guard let value else { continue }
                writer.key(name)
                let bytes = Array(value.utf8)
                let isNumber = name != "unit" && JSONNumber.matches(bytes.span)
                if isNumber { writer.raw(bytes.span) } else { writer.string(value) }
            }
            if type.kind == .correlation, type != .bloodPressure { members(sample, &writer) }
            if type == .activitySummary { attributes(sample, &writer) }
            if type.kind == .other, !sample.row.content.isEmpty {
                writer.key("content")
                writer.raw(sample.row.content.span)
            }
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
            let entries = sample.metadata.entries
            if !entries.isEmpty {
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
        }
        return writer.bytes
    }

    private func members(_ sample: AnySample, _ writer: inout JSONWriter) {
        writer.key("members")
        writer.array { writer in
            for member in CorrelationSample(row: sample.row).members {
                writer.object { writer in
                    writer.member("type", member.sampleType.identifier)
                    if let value = member.value { writer.member("value", value) }
                    if let unit = member.unit { writer.member("unit", unit) }
                }
            }
        }
    }

    private func attributes(_ sample: AnySample, _ writer: inout JSONWriter) {
        for name in sample.row.attributeNames where name != "dateComponents" {
            if let value = sample[name] { writer.member(name, value) }
        }
    }
}
