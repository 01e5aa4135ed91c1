extension SampleType {
    /// Types that are neither quantities nor categories: correlations, clinical records, characteristics, and
    /// special types whose identifiers follow no rule.
    static let others: [SampleType] = [
        correlation("BloodPressure", "Blood Pressure"),
        correlation("Food", "Nutrition"),
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

    private static func correlation(_ name: String, _ title: String) -> SampleType {
        SampleType(identifier: "HKCorrelationTypeIdentifier" + name, kind: .correlation, title: title)
    }

    private static func clinical(_ name: String, _ title: String) -> SampleType {
        SampleType(identifier: "HKClinicalTypeIdentifier" + name, kind: .clinical, title: title)
    }

    private static func characteristic(_ name: String, _ title: String) -> SampleType {
        SampleType(identifier: "HKCharacteristicTypeIdentifier" + name, kind: .characteristic, title: title)
    }

    private static func other(_ identifier: String, _ title: String) -> SampleType {
        SampleType(identifier: identifier, kind: .other, title: title)
    }
}
