/// A part of the document that is written element by element.
protocol Section {
    /// Writes the next element directly below the root.
    ///
    /// - Returns: Whether there was one; must not be called again after it has returned false.
    mutating func appendNext(to stream: inout XMLStream) -> Bool
}

extension Section {
    /// Returns the size of the section in bytes, measured by generating it without output.
    func measuredBytes(_ context: ExportContext) -> Int {
        var section = self
        var stream = XMLStream(context)
        while section.appendNext(to: &stream) { stream.drain { _ in } }
        return stream.position
    }
}

/// A section of a known number of elements, each of which can be generated on its own.
struct CountedSection: Section {
    private let count: Int
    private let append: (inout XMLStream, Int) -> Void
    private var index = 0

    init(_ count: Int, _ append: @escaping (inout XMLStream, Int) -> Void) {
        self.count = count
        self.append = append
    }

    mutating func appendNext(to stream: inout XMLStream) -> Bool {
        guard index < count else { return false }
        append(&stream, index)
        index += 1
        return true
    }
}

/// Generates the main document, section by section.
///
/// Everything but plain records is measured before anything is written; the records share the remaining room, so
/// that the document has the requested size.
struct DocumentGenerator: Section {
    /// The size in bytes from which every type gets at least one record.
    private static let enoughForAll = 128 * 1024

    /// The bytes for one record, slightly more than the longest plain one.
    private static let oneRecord = 450

    private var sections: [any Section]
    private var current = 0

    init(_ context: ExportContext) {
        let amounts = context.amounts
        let head = CountedSection(1) { stream, _ in stream.head() }
        let pressures = BloodPressure.parts.map { part in
            CountedSection(amounts.bloodPressures) { BloodPressure($1, context).append(part, to: &$0) }
        }
        let rest: [CountedSection?] = [
            CountedSection(amounts.bloodPressures) { BloodPressure($1, context).appendCorrelation(to: &$0) },
            CountedSection(amounts.workouts) { $0.workout($1) },
            CountedSection(amounts.activitySummaries) { $0.activitySummary($1) },
            context.since(.v8, CountedSection(amounts.clinicalRecords) { $0.clinicalRecord($1) }),
            context.since(.v13, CountedSection(amounts.audiograms) { $0.audiogram($1) }),
            context.since(.v12, CountedSection(amounts.visionPrescriptions) { $0.visionPrescription($1) }),
            CountedSection(1) { stream, _ in stream.text.append("</HealthData>\n") },
        ]
        let ending = rest.compactMap { $0 }
        func bytes(_ sections: [CountedSection]) -> Int {
            sections.reduce(0) { $0 + $1.measuredBytes(context) }
        }
        let start = bytes([head] + pressures)
        let room = start..<max(start, context.options.xmlBytes - bytes(ending))
        sections = [head] + pressures + Self.records(in: room, context) + ending
    }

    mutating func appendNext(to stream: inout XMLStream) -> Bool {
        while current < sections.count {
            if sections[current].appendNext(to: &stream) { return true }
            current += 1
        }
        return false
    }

    private static func records(in room: Range<Int>, _ context: ExportContext) -> [any Section] {
        let profiles = Catalogue.profiles(context)
        return switch context.options.shape {
        case .ordinary, .uniqueMetadata, .newDevices, .watchAndPhone: grouped(profiles, in: room, context)
        case .shuffled: [ShuffledRecords(profiles, until: room.upperBound, context)]
        case .manyTypes: [ManyTypesRecords(in: room, context)]
        }
    }

    /// Returns a section for each type, ending at the sum of the shares so far.
    ///
    /// If a section ends a little late or early, the next one makes up for it.
    private static func grouped(
        _ profiles: [RecordProfile], in room: Range<Int>, _ context: ExportContext
    ) -> [any Section] {
        let floor = room.count >= enoughForAll ? oneRecord : 0
        let shared = room.count - floor * profiles.count
        let weights = profiles.reduce(0) { $0 + $1.weight }
        var weightSoFar = 0
        var typeStart = room.lowerBound
        return profiles.enumerated().map { index, profile in
            weightSoFar += profile.weight
            let share = Int(Double(shared) * Double(weightSoFar) / Double(weights))
            let typeRoom = typeStart..<room.lowerBound + floor * (index + 1) + share
            typeStart = typeRoom.upperBound
            guard context.options.shape == .watchAndPhone, let measure = WalkMeasure.byType[profile.type]
            else {
                return TypeRecords(profile, in: typeRoom, context)
            }
            return WalkRecords(profile, measure, in: typeRoom, context)
        }
    }
}

extension XMLStream {
    /// Writes everything before the records: the declarations, the root element, the date and the person.
    ///
    /// Documents of version 12 have the medications attribute, although their declaration lacks it.
    fileprivate mutating func head() {
        text.append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
        if let version = context.options.dtdVersion { text.append(DocumentType(version).text) }
        text.append("<HealthData locale=\"\(ByteText.escaped(context.options.locale))\">\n")
        element("ExportDate", ["value": context.options.exportDate])
        var chance = context.chance(.person)
        let person = "HKCharacteristicTypeIdentifier"
        element(
            "Me",
            [
                // The electrocardiograms repeat the birthday.
                "\(person)DateOfBirth": "1987-03-27",
                "\(person)BiologicalSex": "HKBiologicalSexFemale",
                "\(person)BloodType": chance.pick(from: [
                    "HKBloodTypeNotSet", "HKBloodTypeAPositive", "HKBloodTypeONegative",
                ]),
                "\(person)FitzpatrickSkinType": chance.pick(from: [
                    "HKFitzpatrickSkinTypeNotSet", "HKFitzpatrickSkinTypeIII",
                ]),
                "\(person)CardioFitnessMedicationsUse": context.since(.v12, "None"),
            ])
    }
}
