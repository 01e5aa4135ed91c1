extension SamplePredicate {
    /// Parses a condition as people write it: `value > 100`, `value <= 80 kg`, `source = Watch`, `HKWasUserEntered = 1`.
    ///
    /// A number without a unit is compared with values as the source has them. Any name other than `value`, `source`,
    /// `device` and `activity` is a key of metadata.
    ///
    /// - Returns: nil if the text is no condition.
    public init?(parsing text: String) {
        guard let (field, comparison, value) = Self.parts(text) else { return nil }
        let isInequality = comparison == "!="
        let isEquality = comparison == "=" || comparison == "==" || isInequality
        let found: SamplePredicate?
        switch field {
        case "value":
            found = Self.compare(isEquality ? "=" : comparison, value)
        case _ where !isEquality: found = nil
        case "source": found = .source(.name(readsLike: value))
        case "device":
            found = .device("name", value) || .device("model", value) || .device("hardware", value)
        case "activity": found = Self.activity(value).map { .activity($0) }
        default: found = .metadata(field, value)
        }
        guard let found else { return nil }
        self = isInequality ? !found : found
    }

    /// Splits a condition at its comparison.
    private static func parts(_ text: String) -> (field: String, comparison: String, value: String)? {
        let marks: Set<Character> = ["<", ">", "=", "!"]
        guard let start = text.firstIndex(where: { marks.contains($0) }) else { return nil }
        let rest = text[start...]
        let comparison = String(rest.prefix { marks.contains($0) })
        guard ["<", "<=", "=", "==", "!=", ">=", ">"].contains(comparison) else { return nil }
        let field = trimmed(text[..<start])
        let value = trimmed(rest.dropFirst(comparison.count))
        guard !field.isEmpty, !value.isEmpty else { return nil }
        return (field, comparison, value)
    }

    private static func trimmed(_ text: Substring) -> String {
        var text = text.drop { $0 == " " }
        while text.last == " " { text.removeLast() }
        return String(text)
    }

    private static func compare(_ comparison: String, _ text: String) -> SamplePredicate? {
        guard let comparison = SamplePredicate.Comparison(rawValue: comparison) else { return nil }
        let number = text.prefix { "+-.0123456789eE".contains($0) }
        guard let value = Double(number), value.isFinite else { return nil }
        let unitText = trimmed(text[number.endIndex...])
        guard !unitText.isEmpty else { return .value(comparison, asWritten: value) }
        guard let unit = try? HealthUnit(unitText) else { return nil }
        // The Health app writes percentages as fractions.
        return .value(comparison, Quantity(unit == .percent ? value / 100 : value, unit))
    }

    private static func activity(_ name: String) -> WorkoutActivityType? {
        WorkoutActivityType.allCases.first { "\($0)".lowercased() == name.lowercased() || $0.title == name }
    }
}
