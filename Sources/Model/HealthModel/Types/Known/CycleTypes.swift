// Cycle tracking and pregnancy.
extension CategoryTypeNames {
    /// Bleeding After Pregnancy.
    public static var bleedingAfterPregnancy: Self { category(.cycle, values: .vaginalBleeding) }
    /// Bleeding During Pregnancy.
    public static var bleedingDuringPregnancy: Self { category(.cycle, values: .vaginalBleeding) }
    /// Cervical Mucus Quality.
    public static var cervicalMucusQuality: Self { category(.cycle, values: .cervicalMucusQuality) }
    /// Contraceptives.
    public static var contraceptive: Self {
        category(.cycle, values: .contraceptive, title: "Contraceptives")
    }
    /// Infrequent Periods.
    public static var infrequentMenstrualCycles: Self { category(.cycle, title: "Infrequent Periods") }
    /// Spotting.
    public static var intermenstrualBleeding: Self { category(.cycle, title: "Spotting") }
    /// Irregular Cycles.
    public static var irregularMenstrualCycles: Self { category(.cycle, title: "Irregular Cycles") }
    /// Lactation.
    public static var lactation: Self { category(.cycle) }
    /// Menstruation.
    public static var menstrualFlow: Self {
        category(.cycle, values: .vaginalBleeding, title: "Menstruation", also: "period", "periods")
    }
    /// Ovulation Test Result.
    public static var ovulationTestResult: Self { category(.cycle, values: .ovulationTestResult) }
    /// Persistent Spotting.
    public static var persistentIntermenstrualBleeding: Self {
        category(.cycle, title: "Persistent Spotting")
    }
    /// Pregnancy.
    public static var pregnancy: Self { category(.cycle) }
    /// Pregnancy Test Result.
    public static var pregnancyTestResult: Self { category(.cycle, values: .pregnancyTestResult) }
    /// Progesterone Test Result.
    public static var progesteroneTestResult: Self { category(.cycle, values: .progesteroneTestResult) }
    /// Prolonged Periods.
    public static var prolongedMenstrualPeriods: Self { category(.cycle, title: "Prolonged Periods") }
    /// Sexual Activity.
    public static var sexualActivity: Self { category(.cycle) }
}
