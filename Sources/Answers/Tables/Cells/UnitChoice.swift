package import HealthModel
package import HealthQueries

/// The units of a report.
package enum UnitChoice: String, CaseIterable, Sendable {
    /// Metric units.
    case metric
    /// The units of the United States.
    case us
    /// The units of the United Kingdom.
    case uk
    /// The units of the source, with the numbers as written there.
    case source

    /// The system of units; nil for those of the source.
    package var system: MeasurementSystem? { MeasurementSystem(rawValue: rawValue) }

    /// Returns the unit for a type; nil for the unit of the source.
    package func unit(of type: AnySampleType) -> HealthUnit? {
        system.flatMap { type.preferredUnit(in: $0) }
    }

    /// Returns statistics in these units; those of other systems were asked for in the query.
    package func applied(to result: StatisticsResult) -> StatisticsResult {
        guard self == .source, let unit = result.sourceUnit else { return result }
        return result.converted(to: unit) ?? result
    }
}
