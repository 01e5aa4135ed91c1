/// The units that people in a region use.
public enum MeasurementSystem: String, Sendable, CaseIterable, Codable {
    /// Metric units.
    case metric
    /// Units of the United States.
    case us
    /// Units of the United Kingdom: metric with some exceptions.
    case uk
}

/// The units of a quantity: HealthKit's own, and those that people use.
struct PreferredUnits: Sendable {
    let canonical: HealthUnit
    private let metric: HealthUnit
    private let us: HealthUnit
    private let uk: HealthUnit

    /// Reads the units of a known type; regions without a unit of their own use the metric one.
    init(_ units: KnownType.Units) {
        func unit(_ text: String) -> HealthUnit {
            guard let unit = try? HealthUnit(text) else { preconditionFailure("no unit: \(text)") }
            return unit
        }
        canonical = unit(units.canonical)
        metric = units.metric.map(unit) ?? canonical
        us = units.us.map(unit) ?? metric
        uk = units.uk.map(unit) ?? metric
    }

    subscript(_ system: MeasurementSystem) -> HealthUnit {
        switch system {
        case .metric: metric
        case .us: us
        case .uk: uk
        }
    }
}
