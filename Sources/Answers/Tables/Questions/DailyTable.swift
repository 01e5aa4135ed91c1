package import ByteText
import HealthModel
package import HealthQueries

/// The table with the values of quantities by interval, of several types one after the other.
package enum DailyTable: Sendable {
    /// An interval of a type, and the day on which it starts.
    package typealias Row = (type: String, unit: String?, day: CivilDate, interval: Statistics)

    /// Returns the columns.
    ///
    /// - Parameter repeated: Makes a column with a text that many rows have.
    package static func columns(
        repeated: (String, @escaping (Row) -> String?) -> TableColumn<Row> = { TableColumn($0, $1) }
    ) -> [TableColumn<Row>] {
        [
            repeated("type") { $0.type }, TableColumn("startDate") { $0.interval.start },
            TableColumn("endDate") { $0.interval.end }, TableColumn("day") { $0.day },
            repeated("unit") { $0.unit }, TableColumn("count") { $0.interval.count },
            TableColumn("sum") { $0.interval.sum }, TableColumn("average") { $0.interval.average },
            TableColumn("minimum") { $0.interval.minimum }, TableColumn("maximum") { $0.interval.maximum },
            TableColumn("durationSeconds") { $0.interval.duration.map { Double($0) } },
            TableColumn("isPartial") { $0.interval.isPartial },
        ]
    }

    /// Returns the rows of a type, in the unit of the source, as the command prints them.
    package static func rows(_ computed: StatisticsResult) -> [Row] {
        let result = UnitChoice.source.applied(to: computed)
        let unit = result.unit.isNull ? nil : result.unit.description
        return result.intervals.map { interval in
            (
                result.query.type.identifier, unit, result.days.day(of: interval.start.seconds), interval
            )
        }
    }
}
