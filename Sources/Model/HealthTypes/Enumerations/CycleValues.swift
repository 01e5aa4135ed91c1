/// The amount of menstrual flow.
public enum MenstrualFlowValue: Int, CategoryValue {
    /// Unspecified.
    case unspecified = 1
    /// Light.
    case light = 2
    /// Medium.
    case medium = 3
    /// Heavy.
    case heavy = 4
    /// None.
    case none = 5

    /// HealthKit's name of the enumeration.
    public static let typeName = "HKCategoryValueMenstrualFlow"
    /// iOS 18 renamed the values, so exports contain either name.
    public static let otherNames = [
        "HKCategoryValueVaginalBleedingUnspecified": Self.unspecified,
        "HKCategoryValueVaginalBleedingLight": Self.light,
        "HKCategoryValueVaginalBleedingMedium": Self.medium,
        "HKCategoryValueVaginalBleedingHeavy": Self.heavy,
        "HKCategoryValueVaginalBleedingNone": Self.none,
    ]
}

/// The amount of vaginal bleeding.
public enum VaginalBleedingValue: Int, CategoryValue {
    /// Unspecified.
    case unspecified = 1
    /// Light.
    case light = 2
    /// Medium.
    case medium = 3
    /// Heavy.
    case heavy = 4
    /// None.
    case none = 5

    /// HealthKit's name of the enumeration.
    public static let typeName = "HKCategoryValueVaginalBleeding"
    /// iOS 18 renamed the values, so exports contain either name.
    public static let otherNames = [
        "HKCategoryValueMenstrualFlowUnspecified": Self.unspecified,
        "HKCategoryValueMenstrualFlowLight": Self.light,
        "HKCategoryValueMenstrualFlowMedium": Self.medium,
        "HKCategoryValueMenstrualFlowHeavy": Self.heavy,
        "HKCategoryValueMenstrualFlowNone": Self.none,
    ]
}

/// The quality of cervical mucus.
public enum CervicalMucusQualityValue: Int, CategoryValue {
    /// Dry.
    case dry = 1
    /// Sticky.
    case sticky = 2
    /// Creamy.
    case creamy = 3
    /// Watery.
    case watery = 4
    /// Egg white.
    case eggWhite = 5

    /// HealthKit's name of the enumeration.
    public static let typeName = "HKCategoryValueCervicalMucusQuality"
}

/// The kind of a contraceptive.
public enum ContraceptiveValue: Int, CategoryValue {
    /// Unspecified.
    case unspecified = 1
    /// Implant.
    case implant = 2
    /// Injection.
    case injection = 3
    /// Intrauterine device.
    case intrauterineDevice = 4
    /// Intravaginal ring.
    case intravaginalRing = 5
    /// Oral.
    case oral = 6
    /// Patch.
    case patch = 7

    /// HealthKit's name of the enumeration.
    public static let typeName = "HKCategoryValueContraceptive"
}

/// The result of an ovulation test.
public enum OvulationTestResultValue: Int, CategoryValue {
    /// Negative.
    case negative = 1
    /// Luteinizing hormone surge.
    case luteinizingHormoneSurge = 2
    /// Indeterminate.
    case indeterminate = 3
    /// Estrogen surge.
    case estrogenSurge = 4

    /// HealthKit's name of the enumeration.
    public static let typeName = "HKCategoryValueOvulationTestResult"
    /// The name in exports of other versions.
    public static let otherNames = [
        "HKCategoryValueOvulationTestResultPositive": Self.luteinizingHormoneSurge
    ]
}

/// The result of a pregnancy test.
public enum PregnancyTestResultValue: Int, CategoryValue {
    /// Negative.
    case negative = 1
    /// Positive.
    case positive = 2
    /// Indeterminate.
    case indeterminate = 3

    /// HealthKit's name of the enumeration.
    public static let typeName = "HKCategoryValuePregnancyTestResult"
}

/// The result of a progesterone test.
public enum ProgesteroneTestResultValue: Int, CategoryValue {
    /// Negative.
    case negative = 1
    /// Positive.
    case positive = 2
    /// Indeterminate.
    case indeterminate = 3

    /// HealthKit's name of the enumeration.
    public static let typeName = "HKCategoryValueProgesteroneTestResult"
}
