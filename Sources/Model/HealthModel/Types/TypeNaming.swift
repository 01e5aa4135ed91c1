import SampleBatches

extension AnySampleType {
    /// Returns the English name of a type: its title or, for an unknown type, the words of its identifier.
    ///
    /// `HKDataTypeSleepDurationGoal` becomes `Sleep Duration Goal`.
    public static func title(of identifier: String) -> String { AnySampleType(identifier).title }

    /// Returns the words of the identifier of a type that is not known.
    package static func title(ofUnknown identifier: String) -> String {
        guard let name = nameWithoutPrefix(identifier) else { return identifier }
        return NameWords.words(of: name).joined(separator: " ")
    }

    /// Returns the short form of any identifier: without HealthKit's prefix, and with a lower-case first letter.
    ///
    /// `HKQuantityTypeIdentifierHeartRate` becomes `heartRate`, `HKWorkoutTypeIdentifier` becomes `workout`; any other
    /// text is returned unchanged.
    public static func shortName(of identifier: String) -> String {
        guard let name = nameWithoutPrefix(identifier) else { return identifier }
        return NameWords.uncapitalised(name)
    }

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

    /// Returns the part of a HealthKit identifier that names the type; nil for any other text.
    ///
    /// The forms are `HKQuantityTypeIdentifierHeartRate`, `HKWorkoutTypeIdentifier` and `HKDataTypeStateOfMind`.
    private static func nameWithoutPrefix(_ identifier: String) -> Substring? {
        guard identifier.hasPrefix("HK"), identifier.utf8.allSatisfy(isNamePart) else { return nil }
        let name = Substring(identifier.utf8.dropFirst(2))
        guard startsWithCapital(name) else { return nil }
        if let (before, after) = name.split(at: "TypeIdentifier") { return after.isEmpty ? before : after }
        if let (_, after) = name.split(at: "Type"), startsWithCapital(after) { return after }
        return name
    }

    private static func startsWithCapital(_ name: Substring) -> Bool {
        name.utf8.first.map(NameWords.isCapital) ?? false
    }

    private static func isNamePart(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 26 }
}
