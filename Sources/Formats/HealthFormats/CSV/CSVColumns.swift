import SampleBatches

/// The columns of the CSV files of each element.
enum CSVColumns: Sendable {
    /// The column with the metadata entries as a JSON object.
    static let metadata = "metadata"
    /// The column with everything that has no column of its own, as a JSON object.
    static let other = "other"

    private static let times = ["startDate", "endDate", "creationDate"]
    private static let origin = ["sourceName", "sourceVersion", "device"]
    private static let last = [metadata, other]

    /// Returns the names of the attributes that have their own columns, which never depend on the samples.
    static func attributes(of element: String) -> [String] {
        switch element {
        case "Workout":
            ["workoutActivityType"] + times + [
                "duration", "durationUnit", "totalDistance", "totalDistanceUnit", "totalEnergyBurned",
                "totalEnergyBurnedUnit", "totalFlightsClimbed", "totalFlightsClimbedUnit",
                "totalSwimmingStrokeCount", "totalSwimmingStrokeCountUnit",
            ] + origin
        case "ActivitySummary":
            [
                "dateComponents", "activeEnergyBurned", "activeEnergyBurnedGoal", "activeEnergyBurnedUnit",
                "appleMoveTime", "appleMoveTimeGoal", "appleExerciseTime", "appleExerciseTimeGoal",
                "appleStandHours", "appleStandHoursGoal",
            ]
        case "ClinicalRecord":
            [
                "type", "identifier", "sourceName", "sourceURL", "fhirVersion", "receivedDate",
                "resourceFilePath",
            ]
        case "VisionPrescription": ["type", "dateIssued", "expirationDate", "brand"]
        case "HealthData": ["locale"]
        case "ExportDate": ["value"]
        case "Me":
            [
                "HKCharacteristicTypeIdentifierDateOfBirth", "HKCharacteristicTypeIdentifierBiologicalSex",
                "HKCharacteristicTypeIdentifierBloodType",
                "HKCharacteristicTypeIdentifierFitzpatrickSkinType",
                "HKCharacteristicTypeIdentifierCardioFitnessMedicationsUse",
            ]
        // What it measures is in its members.
        case "Correlation": ["type"] + times + origin
        default: ["type"] + times + ["value", "unit"] + origin
        }
    }

    /// Returns the attribute with the name of the source in exports of iOS 8, for the column that lacks one.
    static func source(
        _ column: String, among attributes: [ElementNode.Attribute]
    ) -> ElementNode.Attribute? {
        guard column == "sourceName" else { return nil }
        return attributes.first { $0.name == AttributeKind.sourceNameOfIOS8 }
    }

    /// Returns the names of all columns.
    static func names(of element: String, type: String) -> [String] {
        attributes(of: element) + last + DerivedColumns.of(element: element, type: type).map(\.name)
    }
}
