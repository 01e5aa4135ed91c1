/// The elements and attributes declared in any version of Apple's document type, from 3 to 14.
enum DeclaredNames: Sendable {
    static func has(element: String) -> Bool { attributes[element] != nil }

    /// Returns whether the element is declared but the attribute is not.
    static func isUnknown(attribute: String, of element: String) -> Bool {
        attributes[element].map { !$0.contains(attribute) } ?? false
    }

    /// The attributes of every sample.
    private static let origin = "sourceName sourceVersion device creationDate startDate endDate"
    /// The attributes of each eye in a prescription.
    private static let eye =
        "sphere cylinder axis add vertex prismAmount prismAngle farPD nearPD baseCurve diameter"

    private static let attributes: [String: Set<String>] = {
        let units = eye.split(separator: " ").map { $0 + "Unit" }.joined(separator: " ")
        return [
            "ActivitySummary":
                "dateComponents activeEnergyBurned activeEnergyBurnedGoal activeEnergyBurnedUnit "
                + "appleExerciseTime appleExerciseTimeGoal appleStandHours appleStandHoursGoal "
                + "appleMoveMinutes appleMoveMinutesGoal appleMoveTime appleMoveTimeGoal",
            "Attachment": "identifier",
            "Audiogram": "type " + origin,
            "ClinicalRecord":
                "type identifier sourceName sourceURL fhirVersion receivedDate resourceFilePath",
            "Correlation": "type " + origin,
            "ExportDate": "value",
            "FileReference": "path",
            "HealthData": "locale",
            "HeartRateVariabilityMetadataList": "",
            "InstantaneousBeatsPerMinute": "bpm time",
            "LeftEye": eye + " " + units,
            "Location": "date latitude longitude altitude horizontalAccuracy verticalAccuracy "
                + "course speed",
            "Me": "HKCharacteristicTypeIdentifierDateOfBirth "
                + "HKCharacteristicTypeIdentifierBiologicalSex "
                + "HKCharacteristicTypeIdentifierBloodType "
                + "HKCharacteristicTypeIdentifierFitzpatrickSkinType "
                + "HKCharacteristicTypeIdentifierCardioFitnessMedicationsUse",
            "MetadataEntry": "key value",
            "Record": "type unit value " + origin,
            "RightEye": eye + " " + units,
            "SensitivityPoint":
                "frequencyValue frequencyUnit leftEarValue leftEarUnit rightEarValue rightEarUnit "
                + "leftEarMasked leftEarClampingRangeLowerBound leftEarClampingRangeUpperBound "
                + "rightEarMasked rightEarClampingRangeLowerBound rightEarClampingRangeUpperBound",
            "VisionPrescription": "type dateIssued expirationDate brand device",
            "Workout": "workoutActivityType duration durationUnit totalDistance totalDistanceUnit "
                + "totalEnergyBurned totalEnergyBurnedUnit totalSwimmingStrokeCount "
                + "totalSwimmingStrokeCountUnit totalFlightsClimbed totalFlightsClimbedUnit " + origin,
            "WorkoutActivity": "uuid startDate endDate duration durationUnit",
            "WorkoutEvent": "type date duration durationUnit",
            "WorkoutRoute": origin,
            "WorkoutStatistics": "type startDate endDate average minimum maximum sum unit",
        ].mapValues { Set($0.split(separator: " ").map(String.init)) }
    }()
}
