package import ByteText
import HealthModel
package import HealthQueries
package import SystemIO

/// The table of `stats`.
package enum StatisticsTable: Sendable {
    /// Returns a table of intervals, which are computed as they are read.
    ///
    /// - Parameters:
    ///   - intervals: The intervals to show: all, or the greatest.
    ///   - result: What they are of.
    ///   - unit: Their length.
    ///   - options: The values to show.
    ///   - subject: What was averaged; empty if nothing was.
    ///   - warnings: What was not counted.
    ///   - path: The path of the source.
    package static func table(
        _ intervals: [Statistics], of result: StatisticsResult, by unit: CalendarUnit,
        _ options: [StatisticsOption], _ subject: TerminalText, warnings: [TerminalText], path: BytePath
    ) -> Table<Statistics> {
        let unitName = result.unit.description
        var columns: [TableColumn<Statistics>] = [
            TableColumn("period", in: [.text, .csv], title: unit.rawValue) {
                label($0.start, unit, result.days)
            },
            TableColumn("startDate", in: [.csv, .json]) { $0.start },
            TableColumn("endDate", in: [.csv, .json]) { $0.end },
            TableColumn("unit", in: .csv) { _ in unitName },
            TableColumn("count", in: [.csv, .json]) { $0.count },
            TableColumn("isPartial", in: .json) { $0.isPartial },
        ]
        columns += options.map { option in
            TableColumn(
                option.name, title: option.rawValue, shown: { text($0, option, result.unit) }
            ) { $0[option] }
        }
        columns.append(
            TableColumn("isPartial", in: [.text, .csv], title: "", shown: { $0 ? "*" : "" }) { $0.isPartial })
        var table = Table("intervals", intervals, columns)
        table.facts = [
            ("path", path), ("type", result.query.type.identifier), ("unit", unitName),
            ("by", unit.rawValue), ("zone", result.days.zone), ("merge", result.query.merge.rule),
            ("sources", result.sources), ("skipped", result.skipped), ("warnings", warnings.map(\.text)),
        ]
        table.footnote = (
            \.isPartial, "* partial: not all of this \(unit.rawValue) was selected or exported"
        )
        let shownUnit: TerminalText = result.unit.isNull ? "" : " in \(result.unit.shownText)"
        table.notes =
            [
                "\(result.query.type.title)\(shownUnit)\(subject), days in \(result.days.zone)"
            ] + MergeNote.lines(result.query.merge.rule, of: result.sources)
        table.warnings = warnings
        let first = options.first
        table.marks = (
            { interval in first.flatMap { interval[$0] } }, isAmount: first == .sum || first == .duration
        )
        table.rowsAtOnce = 1000
        return table
    }

    /// Returns the label of an interval: its hour, day, month or year.
    static func label(_ start: Timestamp, _ unit: CalendarUnit, _ days: Days) -> String {
        unit == .hour
            ? String(LocalTime(days: days).text(start).dropLast(3))
            : unit.label(startingOn: days.day(of: start.seconds))
    }

    private static func text(_ value: Double, _ option: StatisticsOption, _ unit: HealthUnit) -> String {
        if option == .duration { return NumberText.duration(value) }
        // Parts of a step come only from samples that are counted in part.
        if unit == .count, value.magnitude >= 1 { return NumberText.rounded(value, digits: 0) }
        return NumberText.short(unit == .percent ? value * 100 : value)
    }
}
