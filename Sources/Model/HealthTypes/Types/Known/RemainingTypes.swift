extension AnySampleType {
    /// Types that are neither quantities nor categories: correlations, clinical records, characteristics, and special
    /// types whose identifiers have no common prefix.
    static let others: [AnySampleType] = [
        AnySampleType(
            identifier: Kind.correlation.prefix + "BloodPressure", kind: .correlation,
            title: "Blood Pressure",
            memberNames: ["BloodPressureSystolic", "BloodPressureDiastolic"]),
        AnySampleType(
            identifier: Kind.correlation.prefix + "Food", kind: .correlation, title: "Nutrition",
            memberNames: foodMembers),
        clinical("AllergyRecord", "Allergies"),
        clinical("ClinicalNoteRecord", "Clinical Notes"),
        clinical("ConditionRecord", "Conditions"),
        clinical("ImmunizationRecord", "Immunizations"),
        clinical("LabResultRecord", "Lab Results"),
        clinical("MedicationRecord", "Medications"),
        clinical("ProcedureRecord", "Procedures"),
        clinical("VitalSignRecord", "Clinical Vitals"),
        clinical("CoverageRecord", "Insurance"),
        characteristic("ActivityMoveMode", "Move Mode Setting"),
        characteristic("BiologicalSex", "Sex"),
        characteristic("BloodType", "Blood Type"),
        characteristic("DateOfBirth", "Date of Birth"),
        characteristic("FitzpatrickSkinType", "Fitzpatrick Skin Type"),
        characteristic("WheelchairUse", "Wheelchair"),
        other("HKDataTypeIdentifierElectrocardiogram", "Electrocardiogram"),
        other("HKDataTypeIdentifierAudiogram", "Audiogram"),
        other("HKWorkoutTypeIdentifier", "Workout"),
        other("HKVisionPrescriptionTypeIdentifier", "Vision Prescription"),
        other("HKDataTypeStateOfMind", "State of Mind"),
        other("HKDataTypeIdentifierHeartbeatSeries", "Heartbeat Series"),
        other("HKWorkoutRouteTypeIdentifier", "Workout Route"),
        other("HKScoredAssessmentTypeIdentifierGAD7", "GAD-7"),
        other("HKScoredAssessmentTypeIdentifierPHQ9", "PHQ-9"),
    ]

    /// The nutrients of a food, without the prefix `HKQuantityTypeIdentifier`.
    private static let foodMembers = [
        "DietaryEnergyConsumed",
        "DietaryCarbohydrates",
        "DietaryFiber",
        "DietarySugar",
        "DietaryFatTotal",
        "DietaryFatMonounsaturated",
        "DietaryFatPolyunsaturated",
        "DietaryFatSaturated",
        "DietaryCholesterol",
        "DietaryProtein",
        "DietaryVitaminA",
        "DietaryThiamin",
        "DietaryRiboflavin",
        "DietaryNiacin",
        "DietaryPantothenicAcid",
        "DietaryVitaminB6",
        "DietaryBiotin",
        "DietaryVitaminB12",
        "DietaryVitaminC",
        "DietaryVitaminD",
        "DietaryVitaminE",
        "DietaryVitaminK",
        "DietaryFolate",
        "DietaryCalcium",
        "DietaryChloride",
        "DietaryIron",
        "DietaryMagnesium",
        "DietaryPhosphorus",
        "DietaryPotassium",
        "DietarySodium",
        "DietaryZinc",
        "DietaryWater",
        "DietaryCaffeine",
        "DietaryChromium",
        "DietaryCopper",
        "DietaryIodine",
        "DietaryManganese",
        "DietaryMolybdenum",
        "DietarySelenium",
    ]

    private static func clinical(_ name: String, _ title: String) -> AnySampleType {
        AnySampleType(identifier: Kind.clinical.prefix + name, kind: .clinical, title: title)
    }

    private static func characteristic(_ name: String, _ title: String) -> AnySampleType {
        AnySampleType(identifier: Kind.characteristic.prefix + name, kind: .characteristic, title: title)
    }

    private static func other(_ identifier: String, _ title: String) -> AnySampleType {
        AnySampleType(identifier: identifier, kind: .other, title: title)
    }
}
