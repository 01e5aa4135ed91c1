/// How severe a symptom is.
public enum SeverityValue: Int, CategoryValue {
    /// Unspecified.
    case unspecified = 0
    /// Not present.
    case notPresent = 1
    /// Mild.
    case mild = 2
    /// Moderate.
    case moderate = 3
    /// Severe.
    case severe = 4

    /// HealthKit's name of the enumeration.
    public static let typeName = "HKCategoryValueSeverity"
}

/// Whether a symptom is present.
public enum PresenceValue: Int, CategoryValue {
    /// Present.
    case present = 0
    /// Not present.
    case notPresent = 1

    /// HealthKit's name of the enumeration.
    public static let typeName = "HKCategoryValuePresence"
}

/// How a person's appetite has changed.
public enum AppetiteChangesValue: Int, CategoryValue {
    /// Unspecified.
    case unspecified = 0
    /// No change.
    case noChange = 1
    /// Decreased.
    case decreased = 2
    /// Increased.
    case increased = 3

    /// HealthKit's name of the enumeration.
    public static let typeName = "HKCategoryValueAppetiteChanges"
}
