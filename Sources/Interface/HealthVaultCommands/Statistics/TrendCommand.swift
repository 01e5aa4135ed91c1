import CivilTime
import CommandLineKit
import CommandOutput
import HealthModel
import HealthQueries
import HealthVault
import JSONText
import SystemIO

/// The command `healthvault trend`.
struct TrendCommand: VaultCommand {
    /// The periods of a trend.
    enum Period: String, CaseIterable, Sendable {
        case month
        case year
    }

    var answer = AnswerOptions()
    var type = SampleTypeName.other("")
    var period = Period.month

    static let grammar = CommandGrammar<Self>(
        name: "trend",
        summary: "Shows the median day of each month or year, and its change.",
        discussion: """
            The value of a day is its sum or average, as in 'healthvault stats'. Each line has the median of the days \
            with data, the change from the period before, and the number of days behind it: a median of few days \
            says little.
            """,
        examples: [
            HelpExample(
                "healthvault trend health.hvault restingHeartRate --by year",
                "Show how the resting heart rate changed over the years")
        ],
        elements: [
            .including(\.answer, AnswerOptions.argument),
            .argument(\.type, "TYPE", "a quantity, such as restingHeartRate", as: KnownSampleType.parser),
            .option(\.period, "by", value: "UNIT", default: "month", "month or year", as: .choice),
            .including(\.answer, AnswerOptions.selection), .including(\.answer, AnswerOptions.form),
        ])

    func validate() throws(UsageError) { try answer.validate() }

    func run() async throws -> ExitStatus {
        let store = try answer.source.open()
        let values = try await answer.dailyValues(of: type, in: store)
        let periods = values.trend(isYearly: period == .year)
        try answer.report.print(
            text: text(values, periods), csv: csv(values, periods), json: json(values, periods))
        return .done
    }

    private func label(_ trend: TrendPeriod) -> String {
        let day = trend.start.description
        return period == .year ? String(day.prefix(4)) : String(day.prefix(7))
    }

    private func text(_ values: DailyValues, _ periods: [TrendPeriod]) -> TerminalText {
        var table = TextTable([.left, .right, .right, .right])
        let rows = periods.map { trend -> [TerminalText] in
            let change = trend.change.map { ($0 > 0 ? "+" : "") + NumberText.short($0) } ?? ""
            return ["\(label(trend))", "\(NumberText.short(trend.median))", "\(change)", "\(trend.days)"]
        }
        let lines = table.lines([["\(period.rawValue)", "median", "change", "days"]] + rows)
        return .lines(
            lines + [
                "\(values.statistics.query.type.title) in \(values.unit), the \(values.option.rawValue) of each day",
                "days in \(values.statistics.days.zone), without data are left out",
                "several sources, \(values.statistics.query.merge.rule)",
            ])
    }

    private func csv(_ values: DailyValues, _ periods: [TrendPeriod]) -> [String] {
        [CSVText.line([period.rawValue, "median", "change", "days", "unit"])]
            + periods.map { trend in
                CSVText.line([
                    label(trend), NumberText.precise(trend.median),
                    trend.change.map { NumberText.precise($0) } ?? "", String(trend.days),
                    values.unit.description,
                ])
            }
    }

    private func json(_ values: DailyValues, _ periods: [TrendPeriod]) -> String {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("path", answer.source.path)
            writer.member("type", values.statistics.query.type.identifier)
            writer.member("unit", values.unit.description)
            writer.member("value", values.option.rawValue)
            writer.member("zone", values.statistics.days.zone)
            writer.member("merge", values.statistics.query.merge.rule)
            writer.member("skipped", values.statistics.skipped)
            writer.key("periods")
            writer.array { writer in
                for trend in periods {
                    writer.object { writer in
                        writer.member("start", trend.start.description)
                        writer.key("median")
                        NumberText.write(trend.median, to: &writer)
                        writer.key("change")
                        if let change = trend.change {
                            NumberText.write(change, to: &writer)
                        } else {
                            writer.null()
                        }
                        writer.member("days", trend.days)
                    }
                }
            }
        }
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}

extension AnswerOptions {
    /// Returns the daily values of a quantity.
    ///
    /// - Throws: `UsageError` if the type is no quantity; `VaultError` if there are no samples.
    func dailyValues(of name: SampleTypeName, in store: any HealthStore) async throws -> DailyValues {
        let type = try await KnownSampleType.type(name, in: store)
        guard let quantity = SampleType<QuantitySample>(type.identifier) else {
            throw UsageError(
                .invalidValue, "\(type.shortName) is not a quantity, so it has no daily values",
                hint: "'healthvault query' lists its samples")
        }
        let values = try await store.dailyValues(
            of: quantity, in: time.range, where: samples.predicate, days: try days.given)
        guard !values.days.isEmpty else { throw VaultError(.nothingSelected, path: source.path) }
        return values
    }
}
