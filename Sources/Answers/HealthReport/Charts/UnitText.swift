import HealthModel

/// Units as charts and reports show them.
enum UnitText {
    /// Returns a unit in the words that people use for the values of a type, `bpm`; empty for counts and fractions.
    static func text(_ unit: HealthUnit, of type: AnySampleType) -> String {
        if [.null, .count, .percent, .appleEffortScore].contains(unit) { return "" }
        if unit == .count / .minute { return rate(of: type) }
        let text = unit.shownText
        return words[text] ?? text
    }

    /// Returns what is counted in a minute.
    private static func rate(of type: AnySampleType) -> String {
        if SampleTypeGroup.heart.types.contains(type) { return "bpm" }
        return switch type {
        case .respiratoryRate: "breaths a minute"
        case .cyclingCadence: "rpm"
        default: "a minute"
        }
    }

    private static let words = [
        "degC": "°C", "degF": "°F", "dBASPL": "dB", "dBHL": "dB HL", "km/hr": "km/h", "mi/hr": "mph",
        "hr": "h",
        "mcg": "µg", "mcS": "µS", "fl_oz_us": "fl oz", "mL/kg·min": "mL/(kg·min)",
        "kcal/hr·kg": "kcal/(h·kg)",
    ]
}
