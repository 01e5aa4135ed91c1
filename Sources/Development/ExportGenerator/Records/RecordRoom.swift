/// The part of the document for the records, and how they share it.
struct RecordRoom {
    /// The size in bytes from which every type gets at least one record.
    private static let enoughForAll = 128 * 1024

    /// The bytes for one record, slightly more than the longest plain one.
    private static let oneRecord = 450

    let start: Int
    let end: Int

    func sections(_ context: ExportContext) -> [any Section] {
        let profiles = Catalogue.profiles(context)
        let pressures = BloodPressure.Part.allCases.map { part in
            CountedSection(context.amounts.bloodPressures) { index, stream in
                BloodPressure(index, context).appendTopLevelRecord(part, to: &stream)
            }
        }
        let fixed = pressures.reduce(0) { $0 + $1.measuredBytes(context) }
        switch context.options.shape {
        case .ordinary, .uniqueMetadata, .newDevices, .watchAndPhone:
            return pressures + groupedSections(profiles, from: start + fixed, context)
        case .shuffled:
            return pressures + [ShuffledRecords(profiles, until: end, context)]
        case .manyTypes:
            return pressures + [ManyTypesRecords(in: start + fixed..<max(end, start + fixed), context)]
        }
    }

    /// Returns a section for each type, ending at the sum of the shares so far.
    ///
    /// If a section ends a little late or early, the next one makes up for it.
    private func groupedSections(
        _ profiles: [RecordProfile], from start: Int, _ context: ExportContext
    ) -> [any Section] {
        let room = max(end - start, 0)
        let floor = room >= Self.enoughForAll ? Self.oneRecord : 0
        let shared = room - floor * profiles.count
        let weights = profiles.reduce(0) { $0 + $1.weight }
        var weightSoFar = 0
        var typeStart = start
        return profiles.enumerated().map { index, profile in
            weightSoFar += profile.weight
            let share = Int(Double(shared) * Double(weightSoFar) / Double(weights))
            let typeEnd = start + floor * (index + 1) + share
            defer { typeStart = typeEnd }
            return section(of: profile, in: typeStart..<typeEnd, context)
        }
    }

    /// Returns the section of one type: records of walks if the shape has them, otherwise plain ones.
    private func section(
        of profile: RecordProfile, in room: Range<Int>, _ context: ExportContext
    ) -> any Section {
        if context.options.shape == .watchAndPhone, let measure = WalkMeasure.byType[profile.type] {
            return WalkRecords(profile, measure, in: room, context)
        }
        return TypeRecords(profile, in: room, context)
    }
}
