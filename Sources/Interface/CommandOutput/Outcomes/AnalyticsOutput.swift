package import CivilTime
package import HealthAnalytics
import HealthModel
import HealthVault
import JSONText
package import SystemIO
import Wording

/// The output of `analytics show`.
package struct AnalyticsOutput {
    private let rows: [any AnalyticsRow]
    private let period: AnalyticsPeriod
    private let metrics: [Metric]
    private let path: BytePath
    private let zone: String
    private let days: Days
    private let rule: String

    /// Creates the output; without metrics, the text has those that have data, and JSON and CSV have all.
    ///
    /// - Parameters:
    ///   - rows: The rows.
    ///   - period: The length of their periods.
    ///   - metrics: The metrics; none for all.
    ///   - path: The path of the database.
    ///   - zone: The name of the zone of the days.
    ///   - days: The rule for days, in this zone.
    ///   - rule: How sources were merged.
    package init(
        _ rows: [any AnalyticsRow], _ period: AnalyticsPeriod, metrics: [Metric], path: BytePath,
        zone: String, days: Days, rule: String
    ) {
        self.rows = rows
        self.period = period
        self.metrics = metrics
        self.path = path
        self.zone = zone
        self.days = days
        self.rule = rule
    }

    private var all: [Metric] { metrics.isEmpty ? Metric.allCases : metrics }

    private func label(_ row: any AnalyticsRow) -> String {
        let day = row.startDate.description
        return switch period {
        case .day, .week: day
        case .month: String(day.dropLast(3))
        case .year: String(day.prefix(4))
        }
    }

    package var text: TerminalText {
        let shown = metrics.isEmpty ? all.filter { metric in rows.contains { $0[metric] != nil } } : metrics
        let optional = metrics.isEmpty ? Set(shown.indices.dropFirst().map { $0 + 1 }) : []
        var table = TextTable([.left] + shown.map { _ in .right }, optional: optional)
        let title: [TerminalText] = ["\(period.rawValue)"] + shown.map { "\($0.rawValue)" }
        let units: [TerminalText] = [""] + shown.map { "\($0.unit)" }
        let cells = rows.map { row -> [TerminalText] in
            ["\(label(row))"] + shown.map { metric in "\(row[metric].map { Self.short($0, metric) } ?? "-")" }
        }
        var lines = table.lines([title, units] + cells)
        if !table.omitted.isEmpty {
            let count = Quantities.count(table.omitted.count, "metric")
            lines.append("\(count) left out: a wider terminal, --metric NAME or --csv shows them")
        }
        lines.append("days in \(zone); - means no data")
        lines.append("several sources, \(rule)")
        if shown.contains(.heartbeats) {
            lines.append("heartbeats are those in the time that measurements cover: see --json")
        }
        return .lines(lines)
    }

    private static func short(_ amount: Amount, _ metric: Metric) -> String {
        NumberText.rounded(amount.value, digits: metric.isWhole ? 0 : 1)
    }

    package var csv: [[UInt8]] {
        let header = ["start", "end"] + all.map(\.rawValue)
        return [CSVCell.line(header)]
            + rows.map { row in
                CSVCell.line(
                    [row.startDate.description, row.endDate.description]
                        + all.map { metric in row[metric].map { Self.precise($0, metric) } ?? "" })
            }
    }

    private static func precise(_ amount: Amount, _ metric: Metric) -> String {
        metric.isWhole ? NumberText.rounded(amount.value, digits: 0) : NumberText.precise(amount.value)
    }

    package var json: String {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("path", path)
            writer.member("period", period.rawValue)
            writer.member("zone", zone)
            writer.key("rows")
            writer.array { writer in
                for row in rows { write(row, to: &writer) }
            }
        }
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    /// Returns the seconds of the period of a row: the days on which clocks change are longer or shorter than others.
    private func length(of row: any AnalyticsRow) -> Int {
        let end = days.start(ofDay: row.endDate.daysSince1970 + 1)
        return max(1, end - days.start(of: row.startDate))
    }

    private func write(_ row: any AnalyticsRow, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("startDate", row.startDate.description)
            writer.member("endDate", row.endDate.description)
            for metric in all {
                writer.key(metric.rawValue)
                guard let amount = row[metric] else {
                    writer.null()
                    continue
                }
                writer.object { writer in
                    writer.key("value")
                    NumberText.write(metric.isWhole ? amount.value.rounded() : amount.value, to: &writer)
                    writer.member("unit", metric.unit.description)
                    writer.member("n", amount.n)
                    writer.member("days", amount.days)
                    writer.key("coverage")
                    if let seconds = amount.coveredSeconds {
                        writer.decimal(min(1, Double(seconds) / Double(length(of: row))), digits: 4)
                    } else {
                        writer.null()
                    }
                    writer.member("sources", amount.sources)
                    writer.member("rule", metric.rule(rule))
                }
            }
            writer.member("recordedAt", row.recordedAt.iso)
        }
    }
}

/// The output of `analytics records`.
package struct PersonalRecordsOutput {
    private let records: PersonalRecords
    private let path: BytePath

    package init(_ records: PersonalRecords, path: BytePath) {
        self.records = records
        self.path = path
    }

    private var streaks: [(name: String, streak: PersonalRecords.Streak)] {
        [("sleepStreak", records.sleepStreak), ("exerciseStreak", records.exerciseStreak)]
            .compactMap { name, streak in streak.map { (name, $0) } }
    }

    private var best: [(name: String, unit: String, best: PersonalRecords.Best)] {
        let metrics = Metric.allCases.compactMap { metric in
            records.best[metric].map { (metric.rawValue, metric.unit.description, $0) }
        }
        return metrics + (records.energy.map { [("energy", "kcal", $0)] } ?? [])
    }

    package var text: TerminalText {
        var table = TextTable([.left, .right, .left, .left])
        let rows = best.map { name, unit, best -> [TerminalText] in
            ["\(name)", "\(NumberText.rounded(best.value, digits: 1))", "\(unit)", "\(best.date)"]
        }
        let runs = streaks.map { name, streak -> [TerminalText] in
            ["\(name)", "\(streak.days)", "days", "\(streak.start) to \(streak.end)"]
        }
        return .lines(table.lines(rows + runs))
    }

    package var json: String {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("path", path)
            writer.key("best")
            writer.object { writer in
                for (name, unit, best) in best {
                    writer.key(name)
                    writer.object { writer in
                        writer.member("date", best.date.description)
                        writer.key("value")
                        NumberText.write(best.value, to: &writer)
                        writer.member("unit", unit)
                    }
                }
            }
            for (name, streak) in streaks {
                writer.key(name)
                writer.object { writer in
                    writer.member("start", streak.start.description)
                    writer.member("end", streak.end.description)
                    writer.member("days", streak.days)
                }
            }
        }
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
