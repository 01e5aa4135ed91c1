/// The sex that a person stated.
public enum BiologicalSex: Int, HealthEnumeration {
    case notSet = 0
    case female, male, other

    /// HealthKit's name of the enumeration.
    public static let typeName = "HKBiologicalSex"
}

/// A blood type.
public enum BloodType: Int, HealthEnumeration {
    case notSet = 0
    case aPositive, aNegative, bPositive, bNegative, abPositive, abNegative, oPositive, oNegative

    /// HealthKit's name of the enumeration.
    public static let typeName = "HKBloodType"

    /// The name in an export: `HKBloodTypeABPositive`.
    public var name: String { Self.typeName + Self.members[rawValue] }

    /// The usual notation: `AB+`.
    public var symbol: String {
        ["not set", "A+", "A-", "B+", "B-", "AB+", "AB-", "O+", "O-"][rawValue]
    }

    private static let members = [
        "NotSet", "APositive", "ANegative", "BPositive", "BNegative", "ABPositive", "ABNegative", "OPositive",
        "ONegative",
    ]
}

/// A Fitzpatrick skin type.
public enum FitzpatrickSkinType: Int, HealthEnumeration {
    case notSet = 0
    case one, two, three, four, five, six

    /// HealthKit's name of the enumeration.
    public static let typeName = "HKFitzpatrickSkinType"

    /// The name in an export: `HKFitzpatrickSkinTypeIV`.
    public var name: String {
        Self.typeName + ["NotSet", "I", "II", "III", "IV", "V", "VI"][rawValue]
    }
}

/// Whether a person uses a wheelchair.
public enum WheelchairUse: Int, HealthEnumeration {
    case notSet = 0
    case no, yes

    /// HealthKit's name of the enumeration.
    public static let typeName = "HKWheelchairUse"
}
