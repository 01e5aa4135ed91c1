/// The sections of an export by kind of sample, in the order that they are written.
package enum FormatSection: String, Sendable, CaseIterable, Comparable {
    case quantityData, categoryData, correlationData, workoutData, activitySummaryData, audiogramData
    case visionPrescriptionData, clinicalData, otherData
    /// Information about the export itself and the person.
    case about

    /// Determines the section of an element and sample type.
    package init(element: String, type: String) {
        switch element {
        case "Record" where type.utf8.starts(with: "HKQuantityTypeIdentifier".utf8): self = .quantityData
        case "Record" where type.utf8.starts(with: "HKCategoryTypeIdentifier".utf8): self = .categoryData
        case "Correlation": self = .correlationData
        case "Workout": self = .workoutData
        case "ActivitySummary": self = .activitySummaryData
        case "Audiogram": self = .audiogramData
        case "VisionPrescription": self = .visionPrescriptionData
        case "ClinicalRecord": self = .clinicalData
        case "HealthData", "ExportDate", "Me": self = .about
        default: self = .otherData
        }
    }

    package static func < (left: FormatSection, right: FormatSection) -> Bool {
        left.place < right.place
    }

    private var place: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
