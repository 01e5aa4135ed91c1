import SampleBatches

extension AnySampleType {
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
        case "Workout": workout.identifier
        case "ActivitySummary": activitySummary.identifier
        case "Audiogram": audiogram.identifier
        case "VisionPrescription": visionPrescription.identifier
        case _ where type.hasPrefix("HK"): type
        default: type.isEmpty ? element : element + "/" + type
        }
    }
}
