import CivilTime

/// A blood pressure: two records at the top level, and a correlation that contains both again.
struct BloodPressure {
    static let parts = ["Systolic", "Diastolic"]

    private let created: Timestamp
    private let time: Timestamp
    private let isEntered: Bool
    private let provenance: Provenance
    private let values: [String: Int]

    init(_ index: Int, _ context: ExportContext) {
        var chance = context.chance(.bloodPressure, index)
        let instant = context.instant(index, of: context.amounts.bloodPressures, from: &chance)
        time = context.time(at: instant)
        created = context.time(at: context.capped(instant + chance.below(600)))
        isEntered = chance.oneIn(3)
        provenance = context.provenance(of: isEntered ? .health : .meter, at: instant, from: &chance)
        values = ["Systolic": chance.pick(from: 104...148), "Diastolic": chance.pick(from: 62...94)]
    }

    /// Appends a record at the top level, the only place where it counts for its type.
    func append(_ part: String, to stream: inout XMLStream) {
        appendRecord(part, to: &stream)
        stream.count(1, recordsOfType: type(of: part))
    }

    func appendCorrelation(to stream: inout XMLStream) {
        let attributes: XMLStream.Attributes = [
            "type": "HKCorrelationTypeIdentifierBloodPressure", "origin": provenance,
            "creationDate": created, "startDate": time, "endDate": time,
        ]
        stream.element("Correlation", attributes) { correlation in
            if isEntered { correlation.metadata("HKWasUserEntered", "1") }
            for part in Self.parts { appendRecord(part, to: &correlation) }
        }
    }

    private func appendRecord(_ part: String, to stream: inout XMLStream) {
        let attributes: XMLStream.Attributes = [
            "type": type(of: part), "origin": provenance, "unit": "mmHg", "creationDate": created,
            "startDate": time, "endDate": time, "value": values[part],
        ]
        stream.element("Record", attributes) { if isEntered { $0.metadata("HKWasUserEntered", "1") } }
    }

    private func type(of part: String) -> String { "HKQuantityTypeIdentifierBloodPressure\(part)" }
}
