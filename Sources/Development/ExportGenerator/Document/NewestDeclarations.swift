extension DocumentType {
    private static let sample =
        "sourceName! sourceVersion device creationDate startDate! endDate!"

    /// The attributes of a lens, each measure with its unit.
    private static let lens = [
        "sphere", "cylinder", "axis", "add", "vertex", "prismAmount", "prismAngle", "farPD", "nearPD",
        "baseCurve", "diameter",
    ].map { "\($0) \($0)Unit" }.joined(separator: " ")

    /// Version 14, as iOS 18.1 and later write it.
    static let newestDeclarations: [Declaration] = [
        Declaration(
            "HealthData",
            "(ExportDate,Me,"
                + "(Record|Correlation|Workout|ActivitySummary|ClinicalRecord|Audiogram|VisionPrescription)*)",
            "locale!"),
        Declaration("ExportDate", "EMPTY", "value!"),
        Declaration(
            "Me", "EMPTY",
            "HKCharacteristicTypeIdentifierDateOfBirth! HKCharacteristicTypeIdentifierBiologicalSex! "
                + "HKCharacteristicTypeIdentifierBloodType! "
                + "HKCharacteristicTypeIdentifierFitzpatrickSkinType! "
                + "HKCharacteristicTypeIdentifierCardioFitnessMedicationsUse!",
            width: 60),
        Declaration(
            "Record", "((MetadataEntry|HeartRateVariabilityMetadataList)*)", "type! unit value \(sample)",
            width: 14),
        Declaration(
            "Correlation", "((MetadataEntry|Record)*)", "type! \(sample)", width: 14,
            note: "Records inside a correlation are listed at the top level as well."),
        Declaration(
            "Workout", "((MetadataEntry|WorkoutEvent|WorkoutRoute|WorkoutStatistics)*)",
            "workoutActivityType! duration durationUnit totalDistance totalDistanceUnit totalEnergyBurned "
                + "totalEnergyBurnedUnit \(sample)",
            width: 22),
        Declaration(
            "WorkoutActivity", "((MetadataEntry)*)", "uuid! startDate! endDate duration durationUnit",
            width: 21),
        Declaration("WorkoutEvent", "((MetadataEntry)*)", "type! date! duration durationUnit", width: 21),
        Declaration(
            "WorkoutStatistics", "EMPTY", "type! startDate! endDate! average minimum maximum sum unit",
            width: 21),
        Declaration("WorkoutRoute", "((MetadataEntry|FileReference)*)", sample, width: 14),
        Declaration("FileReference", "EMPTY", "path!"),
        Declaration(
            "ActivitySummary", "EMPTY",
            "dateComponents activeEnergyBurned activeEnergyBurnedGoal activeEnergyBurnedUnit "
                + "appleMoveTime appleMoveTimeGoal appleExerciseTime appleExerciseTimeGoal "
                + "appleStandHours appleStandHoursGoal",
            width: 25),
        Declaration("MetadataEntry", "EMPTY", "key! value!", width: 6),
        Declaration(
            "HeartRateVariabilityMetadataList", "(InstantaneousBeatsPerMinute*)",
            note: "A watch may list the single heartbeats behind a record of heart rate variability."),
        Declaration("InstantaneousBeatsPerMinute", "EMPTY", "bpm! time!", width: 5),
        Declaration(
            "ClinicalRecord", "EMPTY",
            "type! identifier! sourceName! sourceURL! fhirVersion! receivedDate! resourceFilePath!",
            width: 18),
        Declaration(
            "Audiogram", "((MetadataEntry|SensitivityPoint)*)", "type! \(sample)", width: 14),
        Declaration(
            "SensitivityPoint", "EMPTY",
            "frequencyValue! frequencyUnit! leftEarValue leftEarUnit leftEarMasked "
                + "leftEarClampingRangeLowerBound leftEarClampingRangeUpperBound "
                + "rightEarValue rightEarUnit rightEarMasked "
                + "rightEarClampingRangeLowerBound rightEarClampingRangeUpperBound",
            width: 17),
        Declaration(
            "VisionPrescription", "((RightEye|LeftEye|Attachment|MetadataEntry)*)",
            "type! dateIssued! expirationDate brand", width: 17),
        Declaration("RightEye", "EMPTY", lens, width: 17),
        Declaration("LeftEye", "EMPTY", lens, width: 17),
        Declaration("Attachment", "EMPTY", "identifier", width: 17),
    ]
}
