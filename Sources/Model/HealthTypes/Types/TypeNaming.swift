extension AnySampleType {
    /// Returns the English name of a type: its title or, for an unknown type, the words of its identifier.
    ///
    /// `HKDataTypeSleepDurationGoal` becomes `Sleep Duration Goal`.
    public static func title(of identifier: String) -> String {
        if let type = known(identifier) { return type.title }
        guard let name = nameWithoutPrefix(identifier) else { return identifier }
        return NameWords.words(of: name).joined(separator: " ")
    }

    /// Returns the short form of any identifier: without HealthKit's prefix, and with a lower-case first letter.
    ///
    /// `HKQuantityTypeIdentifierHeartRate` becomes `heartRate`, `HKWorkoutTypeIdentifier` becomes `workout`; any other
    /// text is returned unchanged.
    public static func shortName(of identifier: String) -> String {
        guard let name = nameWithoutPrefix(identifier) else { return identifier }
        return name.prefix(1).lowercased() + name.dropFirst()
    }

    /// Returns the part of a HealthKit identifier that names the type; nil for any other text.
    ///
    /// The forms are `HKQuantityTypeIdentifierHeartRate`, `HKWorkoutTypeIdentifier` and `HKDataTypeStateOfMind`.
    private static func nameWithoutPrefix(_ identifier: String) -> Substring? {
        guard identifier.hasPrefix("HK"), identifier.utf8.allSatisfy(isNamePart) else { return nil }
        let name = identifier.dropFirst(2)
        guard name.first?.isUppercase == true else { return nil }
        if let (before, after) = name.split(at: "TypeIdentifier") { return after.isEmpty ? before : after }
        if let (_, after) = name.split(at: "Type"), after.first?.isUppercase == true { return after }
        return name
    }

    private static func isNamePart(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 26 }
}
