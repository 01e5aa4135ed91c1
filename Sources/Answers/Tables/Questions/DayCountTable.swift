package import ByteText
import HealthModel
package import HealthQueries
package import SystemIO

/// The table of `stats --above` and `--below`.
package enum DayCountTable: Sendable {
    /// Returns a table of the numbers of days with a value above or below a limit.
    ///
    /// - Parameters:
    ///   - counts: The numbers of days.
    ///   - values: The values by day.
    ///   - unit: The length of the periods.
    ///   - above: The limit that values exceed, as shown; nil for none.
    ///   - below: The limit that values do not reach; nil for none.
    ///   - warnings: What was not counted.
    ///   - path: The path of the source.
    package static func table(
        _ counts: [DayCount], of values: DailyValues, by unit: CalendarUnit, above: Double?, below: Double?,
        warnings: [TerminalText], path: BytePath
    ) -> Table<DayCount> {
        var table = Table(
            "periods", counts,
            [
                TableColumn(unit.rawValue, in: [.text, .csv]) { unit.label(startingOn: $0.start) },
                TableColumn("startDate", in: .json) { $0.start }, TableColumn("days") { $0.days },
                TableColumn("daysWithData", title: "of") { $0.daysWithData },
            ])
        table.facts = [
            ("path", path), ("type", values.identifier), ("unit", values.unit.description),
            ("value", values.option.name), ("above", above), ("below", below), ("by", unit.rawValue),
            ("zone", values.rule.zone), ("merge", values.merge), ("skipped", values.skipped),
            ("warnings", warnings.map(\.text)),
        ]
        let limits = [
            above.map { "more than \(NumberText.short($0))" },
            below.map { "less than \(NumberText.short($0))" },
        ].compactMap(\.self).joined(separator: " and ")
        let shownUnit: TerminalText = values.unit.isNull ? "" : " in \(values.unit.shownText)"
        table.notes =
            [
                "\(values.title)\(shownUnit): the days with \(values.option == .sum ? "a sum" : "an average") of \(limits), of those with data",
                "days in \(values.rule.zone)",
            ] + MergeNote.lines(values.merge)
        table.warnings = warnings
        table.marks = ({ Double($0.days) }, isAmount: true)
        return table
    }
}
