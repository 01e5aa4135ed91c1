import ByteText
import HealthModel
public import HealthQueries

/// The chart of a week's hours: a row for each weekday, and a shade for each hour.
public enum HoursOfWeekChart: Sendable {
    /// Returns the chart of statistics by hour.
    public static func chart(_ result: StatisticsResult) -> Chart {
        let hours = HoursOfWeek(result)
        return chart(
            hours, title: result.query.type.title,
            unit: UnitText.text(result.unit, of: result.query.type.erased),
            format: result.unit == .percent ? .percent : .number,
            basis: "\(ChartNumber.count(hours.dayCount, "day")) with data; \(result.query.merge.rule)",
            result.days)
    }

    /// Returns the chart of hours.
    ///
    /// - Parameters:
    ///   - hours: The hours.
    ///   - title: The name of the quantity.
    ///   - unit: The unit.
    ///   - format: How values are written.
    ///   - basis: What the values are based on.
    ///   - days: The rule for days.
    static func chart(
        _ hours: HoursOfWeek, title: String, unit: String, format: ChartNumber.Format, basis: String,
        _ days: Days
    ) -> Chart {
        let entries = order(days).map { weekday in
            ChartEntry(
                names[weekday], .cell,
                (0..<24).compactMap { hour in
                    hours.mean(weekday: weekday, hour: hour).map { ChartPoint(category: hour, $0) }
                })
        }
        let value =
            hours.isSummed
            ? "The mean sum of each hour, over the days of the weekday that have any data"
            : "The mean of each hour's averages, over the hours that have data"
        return Chart(
            title: title + " by hour and day of the week" + (busiest(hours).map { ", most \($0)" } ?? ""),
            caption: "\(value); \(basis); hours in \(days.zone).",
            axis: .categories((0..<24).map { "\($0)" }),
            panels: [ChartPanel(unit: unit, format: format, entries: entries)])
    }

    /// Returns the table of the hours.
    static func table(_ hours: HoursOfWeek, format: ChartNumber.Format, _ days: Days) -> ReportTable {
        let order = order(days)
        var table = ReportTable(["Hour"] + order.map { "#" + names[$0] })
        for hour in 0..<24 {
            table.rows.append(
                ["\(hour)"]
                    + order.map { weekday in
                        hours.mean(weekday: weekday, hour: hour).map { ChartNumber.text($0, format) } ?? ""
                    })
        }
        return table
    }

    /// Returns when the value is greatest, in words.
    private static func busiest(_ hours: HoursOfWeek) -> String? {
        var best: (value: Double, weekday: Int, hour: Int)?
        for weekday in 0..<7 {
            for hour in 0..<24 {
                guard let value = hours.mean(weekday: weekday, hour: hour) else { continue }
                if value > best?.value ?? -.infinity { best = (value, weekday, hour) }
            }
        }
        return best.map { "on \(Weekdays.plurals[$0.weekday]) from \($0.hour):00" }
    }

    private static var names: [String] { Weekdays.short }
    private static func order(_ days: Days) -> [Int] { Weekdays.order(days) }
}

/// The names of the days of the week, from Monday.
enum Weekdays: Sendable {
    static let plurals = [
        "Mondays", "Tuesdays", "Wednesdays", "Thursdays", "Fridays", "Saturdays", "Sundays",
    ]
    static let short = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]

    /// Returns the numbers of the days of a week, from the one on which it starts.
    static func order(_ days: Days) -> [Int] { (0..<7).map { (days.firstWeekday.rawValue - 1 + $0) % 7 } }
}
