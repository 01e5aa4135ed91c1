import HealthModel

/// The units of a report.
enum UnitChoice: String, CaseIterable, Sendable {
    /// Metric units.
    case metric
    /// The units of the United States.
    case us
    /// The units of the United Kingdom.
    case uk
    /// The units of the source, with the numbers as written there.
    case source

    /// Returns the unit for a type; nil for the unit of the source.
    func unit(of type: AnySampleType) -> HealthUnit? {
        MeasurementSystem(rawValue: rawValue).flatMap { type.preferredUnit(in: $0) }
    }
}
