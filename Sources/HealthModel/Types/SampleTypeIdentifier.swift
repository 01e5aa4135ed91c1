import SampleBatches

extension SampleType {
    /// Returns the type with this identifier, whether it is known or not.
    ///
    /// An unknown type has the kind that its identifier indicates, and a title made of its words.
    public static func named(_ identifier: String) -> SampleType {
        if let type = known(identifier) { return type }
        let kind = kinds.first { identifier.hasPrefix($0.prefix) }?.kind ?? .other
        return SampleType(identifier: identifier, kind: kind, title: title(of: identifier))
    }

    private static let kinds: [(prefix: String, kind: Kind)] = [
        ("HKQuantityTypeIdentifier", .quantity), ("HKCategoryTypeIdentifier", .category),
        ("HKCorrelationTypeIdentifier", .correlation), ("HKClinicalTypeIdentifier", .clinical),
        ("HKCharacteristicTypeIdentifier", .characteristic),
    ]

    /// Returns the identifier of the type that an element of an export is a sample of.
    ///
    /// Records and correlations state it themselves. For other elements HealthKit's name is known, or it is made of
    /// the element's: `ClinicalRecord/Observation` (exports name the FHIR resource there, which does not determine
    /// HealthKit's type).
    ///
    /// - Returns: nil for elements that are not samples: the root, `ExportDate`, `Me` and stray text.
    public static func identifier(ofElement element: String, type: String) -> String? {
        switch element {
        case "HealthData", "ExportDate", "Me", StrayText.element: nil
        case "Record", "Correlation": type
        case "Workout": "HKWorkoutTypeIdentifier"
        case "ActivitySummary": "HKActivitySummaryTypeIdentifier"
        case "Audiogram": "HKDataTypeIdentifierAudiogram"
        case "VisionPrescription": "HKVisionPrescriptionTypeIdentifier"
        case _ where type.hasPrefix("HK"): type
        default: type.isEmpty ? element : element + "/" + type
        }
    }
}
