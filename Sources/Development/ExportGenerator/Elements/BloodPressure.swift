import ByteText

/// A blood pressure: two records at the top level, and a correlation that contains both again.
struct BloodPressure {
    static let parts = ["Systolic", "Diastolic"]

    private let times: (created: Timestamp, start: Timestamp)
    private let isEntered: Bool
    private let provenance: Provenance
    private let values: [String: Int]

    init(_ index: Int, _ context: ExportContext) {
        var chance = context.chance(.bloodPressure, index)
        let instant = context.instant(index, of: context.bloodPressures, from: &chance)
        let created = context.capped(instant + chance.below(600))
        times = (context.time(at: created), context.time(at: instant))
        isEntered = chance.oneIn(3)
        provenance = context.provenance(of: isEntered ? .health : .meter, at: instant, from: &chance)
        values = ["Systolic": chance.pick(from: 104...148), "Diastolic": chance.pick(from: 62...94)]
    }

    /// Appends a record of one of the pressures; it counts for its type at the top level alone.
    func append(_ part: String, isTopLevel: Bool = true, to stream: inout XMLStream) {
        let type = "HKQuantityTypeIdentifierBloodPressure\(part)"
        append("Record", type, unit: "mmHg", value: values[part], to: &stream)
        if isTopLevel { stream.count(1, recordsOfType: type) }
    }

    func appendCorrelation(to stream: inout XMLStream) {
        append("Correlation", "HKCorrelationTypeIdentifierBloodPressure", to: &stream) { correlation in
            for part in Self.parts { append(part, isTopLevel: false, to: &correlation) }
        }
    }

    private func append(
        _ name: String, _ type: String, unit: String? = nil, value: Int? = nil, to stream: inout XMLStream,
        children: (inout XMLStream) -> Void = { _ in }
    ) {
        let attributes: XMLStream.Attributes = [
            "type": type, "origin": provenance, "unit": unit, "creationDate": times.created,
            "startDate": times.start, "endDate": times.start, "value": value,
        ]
        stream.element(name, attributes) { element in
            if isEntered { element.metadata("HKWasUserEntered", "1") }
            children(&element)
        }
    }
}
