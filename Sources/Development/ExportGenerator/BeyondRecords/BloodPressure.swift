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

    private let clock: ExportClock
    private let instant: Int
    private let created: Int
    private let isEntered: Bool
    private let edition: OriginEdition
    private let address: DeviceAddress
    private let systolic: Int
    private let diastolic: Int

    init(_ index: Int, _ context: ExportContext) {
        var chance = context.chance(.bloodPressure, index)
        let slot = context.slot(index, of: context.amounts.bloodPressures)
        clock = context.clock
        instant = slot.lowerBound + chance.below(slot.count)
        created = min(instant + chance.below(600), context.span.upperBound)
        isEntered = chance.oneIn(3)
        edition = context.origins.edition(of: isEntered ? .health : .meter, at: instant)
        address = DeviceAddress(from: &chance)
        systolic = chance.pick(from: 104...148)
        diastolic = chance.pick(from: 62...94)
    }

    /// Appends a record of one of the two pressures at the current level.
    private func appendRecord(_ part: Part, to stream: inout XMLStream) {
        stream.element("Record") { record in
            record.attribute("type", part.type)
            edition.append(address: address, to: &record.text)
            record.attribute("unit", "mmHg")
            appendDates(to: &record)
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
            edition.append(address: address, to: &correlation.text)
            appendDates(to: &correlation)
            appendMetadata(to: &correlation)
            for part in Part.allCases { appendRecord(part, to: &correlation) }
        }
    }

    private func appendDates(to element: inout XMLStream) {
        element.attribute("creationDate", created, clock)
        element.attribute("startDate", instant, clock)
        element.attribute("endDate", instant, clock)
    }

    private func appendMetadata(to element: inout XMLStream) {
        if isEntered { element.metadata("HKWasUserEntered", "1") }
    }
}
