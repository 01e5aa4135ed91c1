import SampleBatches

extension AnySampleType {
    /// Returns the sample type identifier of an element of an export.
    ///
    /// Records and correlations state it themselves. For other elements it is HealthKit's name or, if that is unknown,
    /// derived from the element: `ClinicalRecord/Observation` (exports state the FHIR resource, which does not
    /// determine HealthKit's type).
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
