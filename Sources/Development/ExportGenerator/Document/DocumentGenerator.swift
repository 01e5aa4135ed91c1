/// Generates the main document, section by section.
///
/// Everything but plain records is measured before anything is written; the records share the remaining room, so
/// that the document has the requested size.
struct DocumentGenerator: Section {
    private static let closing = "</HealthData>\n"

    private var sections: [any Section]
    private var current = 0

    init(_ context: ExportContext) {
        let head = CountedSection(1) { _, stream in DocumentHead(context: context).append(to: &stream) }
        let rest = Self.sectionsAfterRecords(context)
        let taken = rest.reduce(Self.closing.utf8.count) { $0 + $1.measuredBytes }
        let room = RecordRoom(start: head.measuredBytes, end: context.options.xmlBytes - taken)
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
        var sections: [any Section] = [
            CountedSection(amounts.bloodPressures) { index, stream in
                BloodPressure(index, context).appendCorrelation(to: &stream)
            },
            CountedSection(amounts.workouts) { index, stream in
                WorkoutElement(Workout(index, context), context).append(to: &stream)
            },
            CountedSection(amounts.activitySummaries) { index, stream in
                ActivitySummary(index, context).append(to: &stream)
            },
        ]
        if context.version >= .v8 {
            sections.append(
                CountedSection(amounts.clinicalRecords) { index, stream in
                    ClinicalRecord(index, context).append(to: &stream)
                })
        }
        if context.version >= .v13 {
            sections.append(
                CountedSection(amounts.audiograms) { index, stream in
                    Audiogram(index, context).append(to: &stream)
                })
        }
        if context.version >= .v12 {
            sections.append(
                CountedSection(amounts.visionPrescriptions) { index, stream in
                    VisionPrescription(index, context).append(to: &stream)
                })
        }
        return sections
    }
}
