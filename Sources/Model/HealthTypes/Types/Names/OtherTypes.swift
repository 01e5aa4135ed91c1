// Types that are neither quantities nor categories.
extension CorrelationTypeNames {
    /// Blood Pressure.
    public static var bloodPressure: Self { Self(known: "HKCorrelationTypeIdentifierBloodPressure") }
    /// Nutrition.
    public static var food: Self { Self(known: "HKCorrelationTypeIdentifierFood") }
}

extension ClinicalTypeNames {
    /// Allergies.
    public static var allergyRecord: Self { Self(known: "HKClinicalTypeIdentifierAllergyRecord") }
    /// Clinical Notes.
    public static var clinicalNoteRecord: Self { Self(known: "HKClinicalTypeIdentifierClinicalNoteRecord") }
    /// Conditions.
    public static var conditionRecord: Self { Self(known: "HKClinicalTypeIdentifierConditionRecord") }
    /// Immunizations.
    public static var immunizationRecord: Self { Self(known: "HKClinicalTypeIdentifierImmunizationRecord") }
    /// Lab Results.
    public static var labResultRecord: Self { Self(known: "HKClinicalTypeIdentifierLabResultRecord") }
    /// Medications.
    public static var medicationRecord: Self { Self(known: "HKClinicalTypeIdentifierMedicationRecord") }
    /// Procedures.
    public static var procedureRecord: Self { Self(known: "HKClinicalTypeIdentifierProcedureRecord") }
    /// Clinical Vitals.
    public static var vitalSignRecord: Self { Self(known: "HKClinicalTypeIdentifierVitalSignRecord") }
    /// Insurance.
    public static var coverageRecord: Self { Self(known: "HKClinicalTypeIdentifierCoverageRecord") }
}

extension CharacteristicTypeNames {
    /// Move Mode Setting.
    public static var activityMoveMode: Self { Self(known: "HKCharacteristicTypeIdentifierActivityMoveMode") }
    /// Sex.
    public static var biologicalSex: Self { Self(known: "HKCharacteristicTypeIdentifierBiologicalSex") }
    /// Blood Type.
    public static var bloodType: Self { Self(known: "HKCharacteristicTypeIdentifierBloodType") }
    /// Date of Birth.
    public static var dateOfBirth: Self { Self(known: "HKCharacteristicTypeIdentifierDateOfBirth") }
    /// Fitzpatrick Skin Type.
    public static var fitzpatrickSkinType: Self {
        Self(known: "HKCharacteristicTypeIdentifierFitzpatrickSkinType")
    }
    /// Wheelchair.
    public static var wheelchairUse: Self { Self(known: "HKCharacteristicTypeIdentifierWheelchairUse") }
}
