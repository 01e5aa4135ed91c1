import HealthModel

/// The types that each section of a report shows.
enum ReportTypes {
    /// The section of each known quantity and category.
    private static let sections: [AnySampleType: ReportSection] = {
        var sections: [AnySampleType: ReportSection] = [:]
        for type in AnySampleType.known where type.kind == .quantity || type.kind == .category {
            sections[type] = .body
        }
        // A type of several groups belongs to the last of these.
        let groups: [(SampleTypeGroup, ReportSection)] = [
            (.sleep, .sleep), (.cycle, .body), (.respiratory, .body), (.vitals, .body), (.body, .body),
            (.nutrition, .nutrition), (.hearing, .hearing), (.mobility, .activity), (.activity, .activity),
            (.heart, .heart), (.symptoms, .symptoms),
        ]
        for (group, section) in groups {
            for type in group.types where sections[type] != nil { sections[type] = section }
        }
        sections[.vo2Max] = .heart
        sections[.sleepAnalysis] = .sleep
        sections[.appleStandHour] = .activity
        return sections
    }()

    /// Returns the section of a quantity or category; for types that are unknown it is that of the body.
    static func section(of type: AnySampleType) -> ReportSection { sections[type] ?? .body }

    /// Returns the kinds whose unknown types sections need.
    static func unknownKinds(for wanted: Set<ReportSection>) -> Set<AnySampleType.Kind> {
        wanted.isDisjoint(with: [.overview, .sources, .body]) ? [] : [.quantity, .category]
    }

    /// The types of FHIR resources that exports contain.
    private static let resources = [
        "AllergyIntolerance", "Condition", "Coverage", "DiagnosticReport", "DocumentReference",
        "Immunization",
        "MedicationAdministration", "MedicationDispense", "MedicationOrder", "MedicationRequest",
        "MedicationStatement", "Observation", "Procedure",
    ]

    /// The quantities whose sums the records and the overview use.
    static let main: [AnySampleType] = [
        .stepCount, .distanceWalkingRunning, .activeEnergyBurned, .appleExerciseTime, .flightsClimbed,
        .distanceCycling, .distanceSwimming,
    ]

    /// Returns the types that sections need; all others stay unread, and in an archive encrypted.
    static func types(for wanted: Set<ReportSection>) -> [AnySampleType] {
        // What is covered, and how sources were merged, is told of everything.
        let isAll = wanted.contains(.overview) || wanted.contains(.sources)
        var types = sections.filter { isAll || wanted.contains($0.value) }.map(\.key)
        if wanted.contains(.records) { types += main + [.sleepAnalysis] }
        if isAll || wanted.contains(.workouts) { types.append(.workout) }
        if wanted.contains(.workouts) { types.append(.heartRate) }
        if isAll || wanted.contains(.hearing) { types.append(.audiogram) }
        if wanted.contains(.clinical) { types += resources.map { AnySampleType("ClinicalRecord/" + $0) } }
        return Array(Set(types)).sorted { $0.identifier.utf8.lexicographicallyPrecedes($1.identifier.utf8) }
    }
}
