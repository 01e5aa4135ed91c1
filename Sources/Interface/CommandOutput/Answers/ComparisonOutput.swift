package import CivilTime
import HealthModel
package import HealthQueries
import HealthVault
import JSONText
package import SystemIO

/// The output of `stats --compare`.
package struct ComparisonOutput {
    private let comparison: PeriodComparison
    private let unit: CalendarUnit?
    private let path: BytePath

    package init(_ comparison: PeriodComparison, by unit: CalendarUnit?, path: BytePath) {
        self.comparison = comparison
        self.unit = unit
        self.path = path
    }

    private var values: DailyValues { comparison.values }
    /// The parts with their unit and, at the end, the whole periods.
    private var rows: [(row: PeriodComparison.Row, unit: CalendarUnit?)] {
        comparison.parts.map { ($0, unit) } + [(comparison.whole, nil)]
    }

    private func label(_ part: ComparedPart?, _ unit: CalendarUnit?) -> String {
        guard let part else { return "" }
        return unit?.label(startingOn: part.first) ?? "\(part.first) to \(part.last)"
    }

    private func shown(_ value: Double?) -> String {
        guard let value else { return "" }
        if values.unit == .count, value.magnitude >= 10 { return NumberText.rounded(value, digits: 0) }
        return NumberText.short(values.unit == .percent ? value * 100 : value)
    }

    private func days(_ part: ComparedPart?) -> String {
        part.map { "\($0.daysWithData) of \($0.days)\($0.isPartial ? "*" : "")" } ?? ""
    }

    private func percent(_ row: PeriodComparison.Row) -> Double? {
        guard let change = row.change, let before = row.other?.mean, before != 0 else { return nil }
        return change / before.magnitude * 100
    }

    private func signed(_ value: Double?, _ text: (Double) -> String) -> String {
        value.map { ($0 > 0 ? "+" : "") + text($0) } ?? ""
    }

    package var text: TerminalText {
        var table = TextTable([.left, .right, .right, .left, .right, .right, .right, .right])
        let title: [TerminalText] = [
            "period", "day", "days", "compared with", "day", "days", "change", "",
        ]
        let lines = table.lines(
            [title]
                + rows.map { row, unit in
                    [
                        "\(label(row.part, unit))", "\(shown(row.part?.mean))", "\(days(row.part))",
                        "\(label(row.other, unit))", "\(shown(row.other?.mean))", "\(days(row.other))",
                        "\(signed(row.change) { shown($0) })",
                        "\(signed(percent(row)) { NumberText.rounded($0, digits: 1) + "%" })",
                    ]
                })
        let unit: TerminalText = values.unit.isNull ? "" : " in \(values.unit)"
        let value: TerminalText = values.option == .sum ? "the mean sum" : "the mean average"
        var notes: [TerminalText] = [
            "\(values.statistics.query.type.title)\(unit), \(value) of the days with data, and how many those are",
            "no change is stated where a day of either is without data",
            "days in \(values.statistics.days.zone), several sources, \(values.statistics.query.merge.rule)",
        ]
        if rows.contains(where: { $0.row.part?.isPartial ?? false || $0.row.other?.isPartial ?? false }) {
            notes.insert("* not over on the day of the export", at: 0)
        }
        return .lines(lines + notes + values.statistics.warnings.map { "warning: \($0)" })
    }

    private func cells(_ part: ComparedPart?) -> [String] {
        guard let part else { return ["", "", "", "", "", "", ""] }
        return [
            part.first.description, part.last.description, String(part.days), String(part.daysWithData),
            part.mean.map { NumberText.precise($0) } ?? "", part.total.map { NumberText.precise($0) } ?? "",
            part.isPartial ? "yes" : "no",
        ]
    }

    package var csv: [[UInt8]] {
        let names = ["First", "Last", "Days", "DaysWithData", "Mean", "Total", "Partial"]
        var title = ["part"]
        title += names.map { "period" + $0 }
        title += names.map { "other" + $0 }
        var lines = [CSVCell.line(title + ["change", "unit"])]
        for (row, unit) in rows {
            var line = [unit?.rawValue ?? "whole"]
            line += cells(row.part)
            line += cells(row.other)
            line.append(row.change.map { NumberText.precise($0) } ?? "")
            line.append(values.unit.description)
            lines.append(CSVCell.line(line))
        }
        return lines
    }

    package var json: String {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("path", path)
            writer.member("type", values.statistics.query.type.identifier)
            writer.member("unit", values.unit.description)
            writer.member("value", values.option.rawValue)
            writer.member("by", unit?.rawValue ?? "")
            writer.member("zone", values.statistics.days.zone)
            writer.member("merge", values.statistics.query.merge.rule)
            writer.member("skipped", values.statistics.skipped)
            writer.member("warnings", values.statistics.warnings.map(\.text))
            writer.key("whole")
            write(comparison.whole, to: &writer)
            writer.key("parts")
            writer.array { writer in
                for row in comparison.parts { write(row, to: &writer) }
            }
        }
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    private func write(_ row: PeriodComparison.Row, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.key("period")
            write(row.part, to: &writer)
            writer.key("other")
            write(row.other, to: &writer)
            writer.key("change")
            NumberText.write(row.change, to: &writer)
            writer.key("changePercent")
            NumberText.write(percent(row), to: &writer)
        }
    }

    private func write(_ part: ComparedPart?, to writer: inout JSONWriter) {
        guard let part else {
            writer.null()
            return
        }
        writer.object { writer in
            writer.member("first", part.first.description)
            writer.member("last", part.last.description)
            writer.member("days", part.days)
            writer.member("daysWithData", part.daysWithData)
            writer.member("isPartial", part.isPartial)
            writer.key("mean")
            NumberText.write(part.mean, to: &writer)
            writer.key("total")
            NumberText.write(part.total, to: &writer)
        }
    }
}
