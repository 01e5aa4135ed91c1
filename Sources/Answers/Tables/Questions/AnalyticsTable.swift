package import ByteText
import HealthModel
package import HealthQueries
package import SystemIO

/// The tables of `analytics`.
package enum AnalyticsTable: Sendable {
    /// Returns a table of rows; without metrics, text has those that have data, and the others have all.
    ///
    /// - Parameters:
    ///   - rows: The rows.
    ///   - period: The length of their periods.
    ///   - metrics: The metrics; none for all.
    ///   - days: The rule for days, in the zone.
    ///   - zone: The name of the zone of the days.
    ///   - rule: How sources were merged.
    ///   - warnings: What is to be said about the rows.
    ///   - path: The path of the database.
    package static func rows(
        _ rows: [AnalyticsRow], _ period: AnalyticsPeriod, metrics: [Metric], _ days: Days, zone: String,
        rule: String, warnings: [TerminalText], path: BytePath
    ) -> Table<AnalyticsRow> {
        let all = metrics.isEmpty ? Metric.allCases : metrics
        let shown = metrics.isEmpty ? all.filter { metric in rows.contains { $0[metric] != nil } } : metrics
        var columns: [TableColumn<AnalyticsRow>] = [
            TableColumn(period.rawValue, in: .text) { label($0.startDate, period) },
            TableColumn("startDate", in: [.csv, .json]) { $0.startDate },
            TableColumn("endDate", in: [.csv, .json]) { $0.endDate },
        ]
        for metric in all {
            let isShown = shown.contains(metric)
            columns += [
                TableColumn(
                    metric.rawValue, in: isShown ? .text : [], subtitle: metric.unit.description,
                    isOptional: metrics.isEmpty && metric != shown.first, isNumber: true
                ) { row in
                    row[metric].map { NumberText.rounded($0.value, digits: metric.isWhole ? 0 : 1) } ?? "-"
                },
                TableColumn(metric.rawValue, in: .csv) { row in row[metric]?.value },
                TableColumn(metric.rawValue, in: .json, isNullable: true) { row in
                    row[metric].map { object($0, metric, of: row, days, rule: rule) }
                },
            ]
        }
        columns.append(TableColumn("recordedAt", in: .json) { $0.recordedAt })
        var table = Table("rows", rows, columns)
        table.facts = [
            ("path", path), ("period", period.rawValue), ("zone", zone), ("warnings", warnings.map(\.text)),
        ]
        table.warnings = warnings
        table.omission = { count in
            "\(NumberText.count(count, "metric")) left out: a wider terminal, --metric NAME or --csv shows them"
        }
        table.notes = ["days in \(zone); - means no data"] + MergeNote.lines(rule)
        if shown.contains(.heartbeats) {
            table.notes.append("heartbeats are those in the time that measurements cover: see --json")
        }
        return table
    }

    private static func label(_ start: CivilDate, _ period: AnalyticsPeriod) -> String {
        (CalendarUnit(rawValue: period.rawValue) ?? .day).label(startingOn: start)
    }

    private static func object(
        _ amount: Amount, _ metric: Metric, of row: AnalyticsRow, _ days: Days, rule: String
    ) -> TableObject {
        // The days on which clocks change are longer or shorter than others.
        let end = days.start(ofDay: row.endDate.daysSince1970 + 1)
        let length = max(1, end - days.start(of: row.startDate))
        let coverage = amount.coveredSeconds.map {
            FixedNumber(min(1, Double($0) / Double(length)), digits: 4)
        }
        return TableObject([
            ("value", amount.value), ("unit", metric.unit.description), ("n", amount.n),
            ("days", amount.days), ("coverage", coverage), ("sources", amount.sources),
            ("rule", metric.rule(rule)),
        ])
    }

    /// A record: the best day of a metric, or a streak.
    package typealias Record = (name: String, value: Double, unit: String, days: String)

    /// Returns the table of a person's records.
    package static func records(_ records: PersonalRecords, path: BytePath) -> Table<Record> {
        var best = Metric.allCases.compactMap { metric in
            records.best[metric].map { (name: metric.rawValue, unit: metric.unit.description, best: $0) }
        }
        if let energy = records.energy { best.append(("energy", "kcal", energy)) }
        let streaks = [("sleepStreak", records.sleepStreak), ("exerciseStreak", records.exerciseStreak)]
            .compactMap { name, streak in streak.map { (name: name, streak: $0) } }
        let rows: [Record] =
            best.map { ($0.name, $0.best.value, $0.unit, "\($0.best.date)") }
            + streaks.map { name, streak in
                (name, Double(streak.days), "days", "\(streak.start) to \(streak.end)")
            }
        var table = Table(
            nil, rows,
            [
                TableColumn("name") { $0.name },
                TableColumn("value", shown: { NumberText.rounded($0, digits: 1) }) { $0.value },
                TableColumn("unit") { $0.unit }, TableColumn("days") { $0.days },
            ])
        table.hasTitles = false
        let days = best.map { name, unit, best -> TableObject.Member in
            (name, TableObject([("date", best.date), ("value", best.value), ("unit", unit)]))
        }
        table.facts = [("path", path), ("best", TableObject(days))]
        table.facts += streaks.map { name, streak in
            (
                name,
                TableObject([("startDate", streak.start), ("endDate", streak.end), ("days", streak.days)])
            )
        }
        return table
    }
}
