/// A blood pressure: two records at the top level, and a correlation that contains both again.
struct BloodPressure {
    enum Part: CaseIterable {
        case systolic
        case diastolic

        var type: String {
            switch self {
            case .systolic: "HKQuantityTypeIdentifierBloodPressureSystolic"
            case .diastolic: "HKQuantityTypeIdentifierBloodPressureDiastolic"
            }
        }
    }

    private let instant: Int
    private let created: Int
    private let isEntered: Bool
    private let provenance: Provenance
    private let systolic: Int
    private let diastolic: Int

    init(_ index: Int, _ context: ExportContext) {
        var chance = context.chance(.bloodPressure, index)
        instant = context.instant(index, of: context.amounts.bloodPressures, from: &chance)
        created = min(instant + chance.below(600), context.span.upperBound)
        isEntered = chance.oneIn(3)
        provenance = context.provenance(of: isEntered ? .health : .meter, at: instant, from: &chance)
        systolic = chance.pick(from: 104...148)
        diastolic = chance.pick(from: 62...94)
    }

    /// Appends a record of one of the two pressures at the current level.
    private func appendRecord(_ part: Part, to stream: inout XMLStream) {
        stream.element("Record") { record in
            record.attribute("type", part.type)
            provenance.append(to: &record.text)
            record.attribute("unit", "mmHg")
            record.dates(created: created, instant, instant)
            record.attribute("value", part == .systolic ? systolic : diastolic)
            appendMetadata(to: &record)
        }
    }

    /// Appends a record at the top level, the only place where it counts for its type.
    func appendTopLevelRecord(_ part: Part, to stream: inout XMLStream) {
        appendRecord(part, to: &stream)
        stream.count(1, recordsOfType: part.type)
    }

    func appendCorrelation(to stream: inout XMLStream) {
        stream.element("Correlation") { correlation in
            correlation.attribute("type", "HKCorrelationTypeIdentifierBloodPressure")
            provenance.append(to: &correlation.text)
            correlation.dates(created: created, instant, instant)
            appendMetadata(to: &correlation)
            for part in Part.allCases { appendRecord(part, to: &correlation) }
        }
    }

    private func appendMetadata(to element: inout XMLStream) {
        if isEntered { element.metadata("HKWasUserEntered", "1") }
    }
}
