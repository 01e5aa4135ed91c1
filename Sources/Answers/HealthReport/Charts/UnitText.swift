import HealthModel

/// Units as charts show them.
enum UnitText {
    /// Returns a unit without the molar mass in it, and with the signs for degrees; empty for counts and fractions.
    static func text(_ unit: HealthUnit) -> String {
        if [.null, .count, .percent, .appleEffortScore].contains(unit) { return "" }
        let text = unit.shownText
        return switch text {
        case "degC": "°C"
        case "degF": "°F"
        case "dBASPL": "dB"
        default: text
        }
    }
}
