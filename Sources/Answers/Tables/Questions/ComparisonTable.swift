package import ByteText
import HealthModel
package import HealthQueries
package import SystemIO

/// The table of `stats --compare`.
package enum ComparisonTable: Sendable {
    /// A part of the periods with its unit; nil for the whole periods.
    package typealias Row = (row: PeriodComparison.Row, unit: CalendarUnit?)

    /// Returns a table of the parts and of the whole periods, which are a fact of their own in JSON and else the last row.
    package static func table(
        _ comparison: PeriodComparison, by unit: CalendarUnit?, warnings: [TerminalText], path: BytePath,
        isJSON: Bool
    ) -> Table<Row> {
        let values = comparison.values
        let whole: Row = (comparison.whole, nil)
        var table = Table(
            "parts", comparison.parts.map { ($0, unit) } + (isJSON ? [] : [whole]), columns(values))
        table.facts = [
            ("path", path), ("type", values.identifier), ("unit", values.unit.description),
            ("value", values.option.name), ("by", unit?.rawValue ?? ""),
            ("zone", values.rule.zone), ("merge", values.merge), ("skipped", values.skipped),
            ("warnings", warnings.map(\.text)),
            ("whole", table.object(whole)),
        ]
        table.footnote = (
            { $0.row.part?.isPartial ?? false || $0.row.other?.isPartial ?? false },
            "* not complete on the day of the export"
        )
        let shownUnit: TerminalText =
            values.unit.isNull || values.unit == .count ? "" : " in \(values.unit.shownText)"
        table.notes =
            [
                "\(values.title)\(shownUnit): a day on average, and the number of days with data",
                "the change is left out where a day of either has no data",
                "days in \(values.rule.zone)",
            ] + MergeNote.lines(values.merge)
        table.warnings = warnings
        return table
    }

    private static func columns(_ values: DailyValues) -> [TableColumn<Row>] {
        let shown = values.shown
        func signed(_ text: @escaping (Double) -> String) -> (Double) -> String {
            { ($0 > 0 ? "+" : "") + text($0) }
        }
        return [TableColumn("part", in: .csv) { $0.unit?.rawValue ?? "whole" }]
            + columns("period", title: "period", shown) { $0.part }
            + columns("other", title: "compared with", shown) { $0.other } + [
                TableColumn("change", isNullable: true, shown: signed(shown)) { $0.row.change },
                TableColumn(
                    "changePercent", in: [.text, .json], title: "", isNullable: true,
                    shown: signed { NumberText.rounded($0, digits: 1) + "%" }
                ) { percent($0.row) },
                TableColumn("unit", in: .csv) { _ in values.unit.description },
            ]
    }

    /// Returns the columns of one of the two periods.
    private static func columns(
        _ name: String, title: String, _ shown: @escaping (Double) -> String,
        _ part: @escaping (PeriodComparison.Row) -> ComparedPart?
    ) -> [TableColumn<Row>] {
        [
            TableColumn("\(name)Label", in: .text, title: title) { row in
                part(row.row).map { label($0, row.unit) }
            },
            TableColumn(name, in: .json, isNullable: true) { row in
                part(row.row).map {
                    TableObject([
                        ("first", $0.first), ("last", $0.last), ("days", $0.days),
                        ("daysWithData", $0.daysWithData), ("isPartial", $0.isPartial), ("mean", $0.mean),
                        ("total", $0.total),
                    ])
                }
            },
            TableColumn("\(name)First", in: .csv) { part($0.row)?.first },
            TableColumn("\(name)Last", in: .csv) { part($0.row)?.last },
            TableColumn("\(name)Days", in: .csv) { part($0.row)?.days },
            TableColumn("\(name)DaysWithData", in: .csv) { part($0.row)?.daysWithData },
            TableColumn("\(name)Mean", in: [.text, .csv], title: "day", shown: shown) { part($0.row)?.mean },
            TableColumn("\(name)Coverage", in: .text, title: "days", isOptional: true, isNumber: true) {
                row in
                part(row.row).map { "\($0.daysWithData) of \($0.days)\($0.isPartial ? "*" : "")" }
            },
            TableColumn("\(name)Total", in: .csv) { part($0.row)?.total },
            TableColumn("\(name)Partial", in: .csv) { part($0.row)?.isPartial },
        ]
    }

    /// Returns the label of a period: its year, its month, or its days.
    private static func label(_ part: ComparedPart, _ unit: CalendarUnit?) -> String {
        if let unit { return unit.label(startingOn: part.first) }
        let next = CivilDate(daysSince1970: part.last.daysSince1970 + 1)
        guard part.first.day == 1, next.day == 1 else { return "\(part.first) to \(part.last)" }
        switch (next.year - part.first.year, next.month - part.first.month) {
        case (1, 0) where next.month == 1: return CalendarUnit.year.label(startingOn: part.first)
        case (0, 1), (1, -11): return CalendarUnit.month.label(startingOn: part.first)
        default: return "\(part.first) to \(part.last)"
        }
    }

    private static func percent(_ row: PeriodComparison.Row) -> Double? {
        guard let change = row.change, let before = row.other?.mean, before != 0 else { return nil }
        return change / before.magnitude * 100
    }
}
