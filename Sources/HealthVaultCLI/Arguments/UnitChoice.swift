import HealthModel

/// The units of a report.
enum UnitChoice: String, CaseIterable, Sendable {
    /// Metric ones.
    case metric
    /// Those of the United States.
    case us
    /// Those of the United Kingdom.
    case uk
    /// Those of the source, with the numbers as they are written there.
    case source

    /// The unit of a type; nil for that of the source.
    func unit(of type: AnySampleType) -> HealthUnit? {
        MeasurementSystem(rawValue: rawValue).flatMap { type.preferredUnit(in: $0) }
    }
}
