package import ByteText
import HealthModel
package import HealthQueries
package import SystemIO

extension DailyValues {
    /// Returns a value for people, a share in per cent.
    func shown(_ value: Double) -> String {
        if unit == .count, value.magnitude >= 10 { return NumberText.rounded(value, digits: 0) }
        return NumberText.short(unit == .percent ? value * 100 : value)
    }

    /// Returns the table of the median day of each week, month or year.
    package func trendTable(
        _ trend: [TrendPeriod], by period: CalendarUnit, warnings: [TerminalText], path: BytePath
    ) -> Table<TrendPeriod> {
        let unitName = unit.description
        var table = Table(
            "periods", trend,
            [
                TableColumn(period.rawValue, in: [.text, .csv]) { period.label(startingOn: $0.start) },
                TableColumn("startDate", in: .json) { $0.start },
                TableColumn("median", shown: shown) { $0.median },
                TableColumn(
                    "change", isNullable: true, shown: { ($0 > 0 ? "+" : "") + shown($0) }
                ) { $0.change },
                TableColumn("days") { $0.days }, TableColumn("unit", in: .csv) { _ in unitName },
            ])
        table.facts = [
            ("path", path), ("type", identifier), ("unit", unitName),
            ("value", option.name), ("zone", rule.zone), ("merge", merge), ("skipped", skipped),
            ("warnings", warnings.map(\.text)),
        ]
        table.notes =
            [
                "\(title) in \(unit.shownText), the \(option.rawValue) of each day",
                "days in \(rule.zone); days without data are left out",
            ] + MergeNote.lines(merge)
        table.warnings = warnings
        return table
    }
}

extension DailyCorrelation {
    /// Returns the table of `correlate`: the pairs of values in CSV, and what they amount to in text and JSON.
    package func table(
        _ one: DailyValues, _ other: DailyValues, lag: Int, warnings: [TerminalText], path: BytePath
    ) -> Table<Pair> {
        let units = (one.unit.description, other.unit.description)
        var table = Table(
            nil, pairs,
            [
                TableColumn("day", in: .csv) { $0.day }, TableColumn("first", in: .csv) { $0.first },
                TableColumn("firstUnit", in: .csv) { _ in units.0 },
                TableColumn("second", in: .csv) { $0.second },
                TableColumn("secondUnit", in: .csv) { _ in units.1 },
            ])
        let (rule, zone) = ((one.statistics == nil ? other : one).merge, one.rule.zone)
        table.facts = [
            ("path", path), ("types", [one, other].map(\.identifier)),
            ("values", [one, other].map(\.option.name)), ("zone", zone), ("merge", rule),
            ("warnings", warnings.map(\.text)), ("lag", lag), ("n", n), ("unpaired", unpaired),
            ("rankCorrelation", coefficient),
        ]
        let shown = coefficient.map { NumberText.rounded($0, digits: 2) }
        let titles = [one, other].map(\.title)
        let both = NumberText.count(n, "day")
        let later: TerminalText = lag == 0 ? "" : " \(NumberText.count(lag, "day")) later"
        table.notes =
            [
                "rank correlation of \(titles[0]) and \(titles[1])\(later): \(shown ?? "cannot be computed")",
                "\(both) with both; \(NumberText.count(unpaired, "day")) with only one left out",
                "days in \(zone)",
                "a correlation does not show that one causes the other",
            ] + MergeNote.lines(rule)
        table.warnings = warnings
        return table
    }
}
