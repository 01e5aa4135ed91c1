/// The sex that a person stated.
public enum BiologicalSex: Int, HealthEnumeration {
    /// Not set.
    case notSet = 0
    /// Female.
    case female = 1
    /// Male.
    case male = 2
    /// Other.
    case other = 3

    /// HealthKit's name of the enumeration.
    public static let typeName = "HKBiologicalSex"
}

/// A blood type.
public enum BloodType: Int, HealthEnumeration {
    /// Not set.
    case notSet = 0
    /// A+.
    case aPositive = 1
    /// A-.
    case aNegative = 2
    /// B+.
    case bPositive = 3
    /// B-.
    case bNegative = 4
    /// AB+.
    case abPositive = 5
    /// AB-.
    case abNegative = 6
    /// O+.
    case oPositive = 7
    /// O-.
    case oNegative = 8

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
    /// Not set.
    case notSet = 0
    /// Type I.
    case one = 1
    /// Type II.
    case two = 2
    /// Type III.
    case three = 3
    /// Type IV.
    case four = 4
    /// Type V.
    case five = 5
    /// Type VI.
    case six = 6

    /// HealthKit's name of the enumeration.
    public static let typeName = "HKFitzpatrickSkinType"

    /// The name in an export: `HKFitzpatrickSkinTypeIV`.
    public var name: String {
        Self.typeName + ["NotSet", "I", "II", "III", "IV", "V", "VI"][rawValue]
    }
}

/// Whether a person uses a wheelchair.
public enum WheelchairUse: Int, HealthEnumeration {
    /// Not set.
    case notSet = 0
    /// No.
    case no = 1
    /// Yes.
    case yes = 2

    /// HealthKit's name of the enumeration.
    public static let typeName = "HKWheelchairUse"
}
