extension CorrelationTypeNames {
    /// Blood Pressure.
    public static var bloodPressure: Self {
        correlation(.heart, .vitals, also: "bp", members: [.bloodPressureSystolic, .bloodPressureDiastolic])
    }
    /// Nutrition.
    public static var food: Self {
        correlation(
            .nutrition, title: "Nutrition",
            members: [
                .dietaryEnergyConsumed, .dietaryCarbohydrates, .dietaryFiber, .dietarySugar, .dietaryFatTotal,
                .dietaryFatMonounsaturated, .dietaryFatPolyunsaturated, .dietaryFatSaturated,
                .dietaryCholesterol, .dietaryProtein, .dietaryVitaminA, .dietaryThiamin, .dietaryRiboflavin,
                .dietaryNiacin, .dietaryPantothenicAcid, .dietaryVitaminB6, .dietaryBiotin,
                .dietaryVitaminB12, .dietaryVitaminC, .dietaryVitaminD, .dietaryVitaminE, .dietaryVitaminK,
                .dietaryFolate, .dietaryCalcium, .dietaryChloride, .dietaryIron, .dietaryMagnesium,
                .dietaryPhosphorus, .dietaryPotassium, .dietarySodium, .dietaryZinc, .dietaryWater,
                .dietaryCaffeine, .dietaryChromium, .dietaryCopper, .dietaryIodine, .dietaryManganese,
                .dietaryMolybdenum, .dietarySelenium,
            ])
    }
}

extension ClinicalTypeNames {
    /// Allergies.
    public static var allergyRecord: Self { clinical(title: "Allergies") }
    /// Clinical Notes.
    public static var clinicalNoteRecord: Self { clinical(title: "Clinical Notes") }
    /// Conditions.
    public static var conditionRecord: Self { clinical(title: "Conditions") }
    /// Immunizations.
    public static var immunizationRecord: Self { clinical(title: "Immunizations") }
    /// Lab Results.
    public static var labResultRecord: Self { clinical(title: "Lab Results") }
    /// Medications.
    public static var medicationRecord: Self { clinical(title: "Medications") }
    /// Procedures.
    public static var procedureRecord: Self { clinical(title: "Procedures") }
    /// Clinical Vitals.
    public static var vitalSignRecord: Self { clinical(title: "Clinical Vitals") }
    /// Insurance.
    public static var coverageRecord: Self { clinical(title: "Insurance") }
}

extension CharacteristicTypeNames {
    /// Move Mode Setting.
    public static var activityMoveMode: Self { characteristic(title: "Move Mode Setting") }
    /// Sex.
    public static var biologicalSex: Self { characteristic(title: "Sex") }
    /// Blood Type.
    public static var bloodType: Self { characteristic() }
    /// Date of Birth.
    public static var dateOfBirth: Self { characteristic(title: "Date of Birth") }
    /// Fitzpatrick Skin Type.
    public static var fitzpatrickSkinType: Self { characteristic() }
    /// Wheelchair.
    public static var wheelchairUse: Self { characteristic(title: "Wheelchair") }
}

extension SpecialTypeNames {
    /// Audiogram.
    public static var audiogram: Self { special("HKDataTypeIdentifierAudiogram", .hearing) }
    /// Electrocardiogram.
    public static var electrocardiogram: Self {
        special("HKDataTypeIdentifierElectrocardiogram", .heart, also: "ecg")
    }
    /// GAD-7, the assessment of anxiety.
    public static var gad7: Self { special("HKScoredAssessmentTypeIdentifierGAD7", title: "GAD-7") }
    /// Heartbeat series.
    public static var heartbeatSeries: Self { special("HKDataTypeIdentifierHeartbeatSeries", .heart) }
    /// PHQ-9, the assessment of depression.
    public static var phq9: Self { special("HKScoredAssessmentTypeIdentifierPHQ9", title: "PHQ-9") }
    /// State of mind.
    public static var stateOfMind: Self {
        special("HKDataTypeStateOfMind", title: "State of Mind", also: "mood")
    }
    /// Vision prescription.
    public static var visionPrescription: Self { special("HKVisionPrescriptionTypeIdentifier") }
    /// Workout.
    public static var workout: Self { special("HKWorkoutTypeIdentifier", .activity) }
    /// Route of a workout.
    public static var workoutRoute: Self { special("HKWorkoutRouteTypeIdentifier", .activity) }
    /// Activity summary: the rings of a day.
    public static var activitySummary: Self { special("HKActivitySummaryTypeIdentifier", also: "rings") }
}
