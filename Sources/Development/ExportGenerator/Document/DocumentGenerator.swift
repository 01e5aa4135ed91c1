/// Generates the main document, section by section.
///
/// Everything but plain records is measured before anything is written; the records share the remaining room, so
/// that the document has the requested size.
struct DocumentGenerator: Section {
    private static let closing = "</HealthData>\n"

    private var sections: [any Section]
    private var current = 0

    init(_ context: ExportContext) {
        let head = CountedSection(1, of: DocumentHead.self, context)
        let rest = Self.sectionsAfterRecords(context)
        let taken = rest.reduce(Self.closing.utf8.count) { $0 + $1.measuredBytes(context) }
        let room = RecordRoom(start: head.measuredBytes(context), end: context.options.xmlBytes - taken)
        let closing = CountedSection(1) { _, stream in stream.text.append(Self.closing) }
        sections = [head] + room.sections(context) + rest + [closing]
    }

    mutating func appendNext(to stream: inout XMLStream) -> Bool {
        while current < sections.count {
            if sections[current].appendNext(to: &stream) { return true }
            current += 1
        }
        return false
    }

    /// Returns the sections after the records that exist in the version.
    private static func sectionsAfterRecords(_ context: ExportContext) -> [any Section] {
        let amounts = context.amounts
        let correlations = CountedSection(amounts.bloodPressures) { index, stream in
            BloodPressure(index, context).appendCorrelation(to: &stream)
        }
        let sections: [(since: GeneratorOptions.DTDVersion, section: CountedSection)] = [
            (.v3, correlations),
            (.v3, CountedSection(amounts.workouts, of: WorkoutElement.self, context)),
            (.v3, CountedSection(amounts.activitySummaries, of: ActivitySummary.self, context)),
            (.v8, CountedSection(amounts.clinicalRecords, of: ClinicalRecord.self, context)),
            (.v13, CountedSection(amounts.audiograms, of: Audiogram.self, context)),
            (.v12, CountedSection(amounts.visionPrescriptions, of: VisionPrescription.self, context)),
        ]
        return sections.filter { $0.since <= context.version }.map(\.section)
    }
}

/// Everything before the records: the declarations, the root element, the date and the person.
struct DocumentHead: NumberedElement {
    private let context: ExportContext

    init(_ index: Int, _ context: ExportContext) {
        self.context = context
    }

    func append(to stream: inout XMLStream) {
        stream.text.append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
        if let version = context.options.dtdVersion { DocumentType(version).append(to: &stream.text) }
        stream.text.append("<HealthData locale=\"\(ByteText.escaped(context.options.locale))\">\n")
        stream.element("ExportDate") { $0.attribute("value", at: context.span.upperBound) }
        stream.element("Me", appendPerson)
    }

    /// Appends the person's attributes.
    ///
    /// Documents of version 12 have the medications attribute, although their declaration lacks it.
    private func appendPerson(to person: inout XMLStream) {
        var chance = context.chance(.person)
        func attribute(_ name: String, _ values: String...) {
            let value = values.count > 1 ? chance.pick(from: values) : values[0]
            person.attribute("HKCharacteristicTypeIdentifier\(name)", value)
        }
        // The electrocardiograms repeat the birthday.
        attribute("DateOfBirth", "1987-03-27")
        attribute("BiologicalSex", "HKBiologicalSexFemale")
        attribute("BloodType", "HKBloodTypeNotSet", "HKBloodTypeAPositive", "HKBloodTypeONegative")
        attribute("FitzpatrickSkinType", "HKFitzpatrickSkinTypeNotSet", "HKFitzpatrickSkinTypeIII")
        if context.version >= .v12 { attribute("CardioFitnessMedicationsUse", "None") }
    }
}
