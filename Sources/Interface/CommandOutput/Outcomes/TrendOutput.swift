import CivilTime
import HealthModel
package import HealthQueries
import HealthVault
import JSONText
package import SystemIO
import Wording

/// The output of `trend`.
package struct TrendOutput {
    private let values: DailyValues
    private let periods: [TrendPeriod]
    private let isYearly: Bool
    private let path: BytePath

    package init(_ values: DailyValues, isYearly: Bool, path: BytePath) {
        self.values = values
        self.isYearly = isYearly
        self.path = path
        periods = values.trend(isYearly: isYearly)
    }

    private func label(_ trend: TrendPeriod) -> String {
        (isYearly ? CalendarUnit.year : .month).label(startingOn: trend.start)
    }

    package var text: TerminalText {
        var table = TextTable([.left, .right, .right, .right])
        let rows = periods.map { trend -> [TerminalText] in
            let change = trend.change.map { ($0 > 0 ? "+" : "") + NumberText.short($0) } ?? ""
            return ["\(label(trend))", "\(NumberText.short(trend.median))", "\(change)", "\(trend.days)"]
        }
        let lines = table.lines([["\(isYearly ? "year" : "month")", "median", "change", "days"]] + rows)
        return .lines(
            lines + [
                "\(values.statistics.query.type.title) in \(values.unit), the \(values.option.rawValue) of each day",
                "days in \(values.statistics.days.zone), without data are left out",
                "several sources, \(values.statistics.query.merge.rule)",
            ] + [values].warnings.map { "warning: \($0)" })
    }

    package var csv: [[UInt8]] {
        [CSVCell.line([isYearly ? "year" : "month", "median", "change", "days", "unit"])]
            + periods.map { trend in
                CSVCell.line([
                    label(trend), NumberText.precise(trend.median),
                    trend.change.map { NumberText.precise($0) } ?? "", String(trend.days),
                    values.unit.description,
                ])
            }
    }

    package var json: String {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("path", path)
            writer.member("type", values.statistics.query.type.identifier)
            writer.member("unit", values.unit.description)
            writer.member("value", values.option.rawValue)
            writer.member("zone", values.statistics.days.zone)
            writer.member("merge", values.statistics.query.merge.rule)
            writer.member("skipped", values.statistics.skipped)
            writer.member("warnings", [values].warnings.map(\.text))
            writer.member("periods", objects: periods) { trend, writer in
                writer.member("start", trend.start.description)
                writer.key("median")
                NumberText.write(trend.median, to: &writer)
                writer.key("change")
                NumberText.write(trend.change, to: &writer)
                writer.member("days", trend.days)
            }
        }
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}

/// The output of `correlate`.
package struct CorrelationOutput {
    private let one: DailyValues
    private let other: DailyValues
    private let lag: Int
    private let path: BytePath
    private let result: DailyCorrelation

    package init(_ one: DailyValues, _ other: DailyValues, lag: Int, path: BytePath) {
        self.one = one
        self.other = other
        self.lag = lag
        self.path = path
        result = DailyCorrelation(one, other, lag: lag)
    }

    package var text: TerminalText {
        let shown = result.coefficient.map { NumberText.rounded($0, digits: 2) }
        let names: TerminalText =
            "\(one.statistics.query.type.title) and \(other.statistics.query.type.title)"
        let later: TerminalText = lag == 0 ? "" : " \(Quantities.count(lag, "day")) later"
        return .lines(
            [
                "rank correlation of \(names)\(later): \(shown ?? "cannot be computed")",
                "\(Quantities.count(result.n, "day")) with both, \(Quantities.count(result.unpaired, "value")) without the other left out",
                "days in \(one.statistics.days.zone), several sources, \(one.statistics.query.merge.rule)",
                "a correlation does not show that one causes the other",
            ] + [one, other].warnings.map { "warning: \($0)" })
    }

    /// The pairs of values that are compared.
    package var csv: [[UInt8]] {
        [CSVCell.line(["day", "first", "firstUnit", "second", "secondUnit"])]
            + result.pairs.map { pair in
                CSVCell.line([
                    pair.day.description, NumberText.precise(pair.first), one.unit.description,
                    NumberText.precise(pair.second), other.unit.description,
                ])
            }
    }

    package var json: String {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("path", path)
            writer.member("types", [one, other].map(\.statistics.query.type.identifier))
            writer.member("values", [one, other].map(\.option.rawValue))
            writer.member("zone", one.statistics.days.zone)
            writer.member("merge", one.statistics.query.merge.rule)
            writer.member("warnings", [one, other].warnings.map(\.text))
            writer.member("lag", lag)
            writer.member("n", result.n)
            writer.member("unpaired", result.unpaired)
            writer.key("rankCorrelation")
            NumberText.write(result.coefficient, to: &writer)
        }
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}

extension [DailyValues] {
    /// The warnings about what was not counted of each quantity, and sources that none of them has.
    package var warnings: [TerminalText] { map(\.statistics).warnings }
}
