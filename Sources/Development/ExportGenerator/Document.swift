/// Elements of one kind, each of which can be generated on its own.
private typealias Elements = (count: Int, append: (inout XMLStream, Int) -> Void)

extension ExportContext {
    /// Returns the main document, to be written element by element.
    ///
    /// Everything but plain records is measured before anything is written; the records share the remaining room, so
    /// that the document has the requested size.
    func document() -> Section {
        let pressures = BloodPressure.parts.map { part in
            (bloodPressures, { BloodPressure($1, self).append(part, to: &$0) }) as Elements
        }
        let before: [Elements] = [(1, { stream, _ in stream.head() })] + pressures
        let after: [Elements?] = [
            (bloodPressures, { BloodPressure($1, self).appendCorrelation(to: &$0) }),
            (workouts, { $0.workout($1) }),
            (activitySummaries, { $0.activitySummary($1) }),
            since(.v8, (clinicalRecords, { $0.clinicalRecord($1) })),
            since(.v13, (audiograms, { $0.audiogram($1) })),
            since(.v12, (visionPrescriptions, { $0.visionPrescription($1) })),
            (1, { stream, _ in stream.text.append("</HealthData>\n") }),
        ]
        let start = bytes(before)
        let end = options.xmlBytes - bytes(after.compactMap(\.self))
        var sections =
            before.map(section) + records(in: start..<max(start, end)) + after.compactMap(\.self).map(section)
        sections.reverse()
        return { stream in
            while let section = sections.last {
                if section(&stream) { return true }
                sections.removeLast()
            }
            return false
        }
    }

    private func section(_ elements: Elements) -> Section {
        var index = 0
        return { stream in
            guard index < elements.count else { return false }
            elements.append(&stream, index)
            index += 1
            return true
        }
    }

    /// Returns the size of elements in bytes, measured by generating them without output.
    private func bytes(_ elements: [Elements]) -> Int {
        var stream = XMLStream(self)
        for section in elements.map(section) { while section(&stream) { stream.drain { _ in } } }
        return stream.position
    }

    /// Returns the records, arranged as the shape wants it, that fill a range of the document.
    private func records(in room: Range<Int>) -> [Section] {
        let profiles = Catalogue.profiles(self)
        switch options.shape {
        case .shuffled: return [shuffledRecords(profiles, until: room.upperBound)]
        case .manyTypes: return [manyTypesRecords(in: room)]
        case .ordinary, .uniqueMetadata, .newDevices, .watchAndPhone: break
        }
        // Up to 128 KiB not every type gets a record, for which 450 bytes are enough. Each type ends at the sum of the
        // shares so far; if one ends a little late or early, the next one makes up for it.
        let floor = room.count >= 128 * 1024 ? 450 : 0
        let shared = room.count - floor * profiles.count
        let weights = profiles.reduce(0) { $0 + $1.weight }
        var weightSoFar = 0
        var typeStart = room.lowerBound
        return profiles.enumerated().map { index, profile in
            weightSoFar += profile.weight
            let share = Int(Double(shared) * Double(weightSoFar) / Double(weights))
            let typeRoom = typeStart..<room.lowerBound + floor * (index + 1) + share
            typeStart = typeRoom.upperBound
            guard options.shape == .watchAndPhone, let measure = WalkMeasure.byType[profile.type] else {
                return records(of: profile, in: typeRoom)
            }
            return walkRecords(profile, measure, in: typeRoom)
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
        let (person, bloodTypes) = ("HKCharacteristicTypeIdentifier", ["NotSet", "APositive", "ONegative"])
        let attributes: Attributes = [
            // The electrocardiograms repeat the birthday.
            "\(person)DateOfBirth": "1987-03-27", "\(person)BiologicalSex": "HKBiologicalSexFemale",
            "\(person)BloodType": "HKBloodType" + chance.pick(from: bloodTypes),
            "\(person)FitzpatrickSkinType": "HKFitzpatrickSkinType" + chance.pick(from: ["NotSet", "III"]),
            "\(person)CardioFitnessMedicationsUse": context.since(.v12, "None"),
        ]
        element("Me", attributes)
    }
}
