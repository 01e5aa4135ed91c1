// Categories of cycle tracking and pregnancy, under the titles of the Health app.
extension CategoryTypeNames {
    /// Bleeding After Pregnancy.
    public static var bleedingAfterPregnancy: Self {
        Self(known: "HKCategoryTypeIdentifierBleedingAfterPregnancy")
    }
    /// Bleeding During Pregnancy.
    public static var bleedingDuringPregnancy: Self {
        Self(known: "HKCategoryTypeIdentifierBleedingDuringPregnancy")
    }
    /// Cervical Mucus Quality.
    public static var cervicalMucusQuality: Self {
        Self(known: "HKCategoryTypeIdentifierCervicalMucusQuality")
    }
    /// Contraceptives.
    public static var contraceptive: Self { Self(known: "HKCategoryTypeIdentifierContraceptive") }
    /// Infrequent Periods.
    public static var infrequentMenstrualCycles: Self {
        Self(known: "HKCategoryTypeIdentifierInfrequentMenstrualCycles")
    }
    /// Spotting.
    public static var intermenstrualBleeding: Self {
        Self(known: "HKCategoryTypeIdentifierIntermenstrualBleeding")
    }
    /// Irregular Cycles.
    public static var irregularMenstrualCycles: Self {
        Self(known: "HKCategoryTypeIdentifierIrregularMenstrualCycles")
    }
    /// Lactation.
    public static var lactation: Self { Self(known: "HKCategoryTypeIdentifierLactation") }
    /// Menstruation.
    public static var menstrualFlow: Self { Self(known: "HKCategoryTypeIdentifierMenstrualFlow") }
    /// Ovulation Test Result.
    public static var ovulationTestResult: Self { Self(known: "HKCategoryTypeIdentifierOvulationTestResult") }
    /// Persistent Spotting.
    public static var persistentIntermenstrualBleeding: Self {
        Self(known: "HKCategoryTypeIdentifierPersistentIntermenstrualBleeding")
    }
    /// Pregnancy.
    public static var pregnancy: Self { Self(known: "HKCategoryTypeIdentifierPregnancy") }
    /// Pregnancy Test Result.
    public static var pregnancyTestResult: Self { Self(known: "HKCategoryTypeIdentifierPregnancyTestResult") }
    /// Progesterone Test Result.
    public static var progesteroneTestResult: Self {
        Self(known: "HKCategoryTypeIdentifierProgesteroneTestResult")
    }
    /// Prolonged Periods.
    public static var prolongedMenstrualPeriods: Self {
        Self(known: "HKCategoryTypeIdentifierProlongedMenstrualPeriods")
    }
    /// Sexual Activity.
    public static var sexualActivity: Self { Self(known: "HKCategoryTypeIdentifierSexualActivity") }
}
