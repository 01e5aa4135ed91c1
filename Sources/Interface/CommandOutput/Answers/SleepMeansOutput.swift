package import CivilTime
import HealthModel
package import HealthQueries
import HealthVault
import JSONText
package import SystemIO
import Wording

/// The output of `sleep --by`.
package struct SleepMeansOutput {
    private let periods: [SleepPeriod]
    private let unit: CalendarUnit
    private let days: Days
    private let limit: Int?
    private let warnings: [TerminalText]
    private let path: BytePath

    package init(
        _ periods: [SleepPeriod], by unit: CalendarUnit, _ days: Days, below limit: Int?,
        warnings: [TerminalText], path: BytePath
    ) {
        self.periods = periods
        self.unit = unit
        self.days = days
        self.limit = limit
        self.warnings = warnings
        self.path = path
    }

    package var text: TerminalText {
        let hasGaps = periods.contains { $0.gapTime > 0 }
        let hours = Array(
            repeating: TextTable.Alignment.right, count: SleepOutput.stages.count + (hasGaps ? 2 : 1))
        var table = TextTable([.left, .right] + hours + [.left], optional: [6, 8])
        let titles =
            [unit.rawValue, "days", "asleep"] + SleepOutput.stages.map(\.title) + (hasGaps ? ["gap"] : [])
            + ["source"]
        let rows = periods.map { period -> [TerminalText] in
            let seconds =
                SleepOutput.stages.map { period.duration(of: $0.value) } + (hasGaps ? [period.gapTime] : [])
            let own: [TerminalText] = [
                "\(unit.label(startingOn: period.start))", "\(period.days)",
                "\(Self.hours(period.timeAsleep))",
            ]
            return own + seconds.map { $0 == 0 ? "" : "\(Self.hours($0))" }
                + [TerminalText.list(period.sources)]
        }
        let counted = limit.map { "less than \(NumberText.hours($0)) of sleep" } ?? "sleep"
        let lines = table.lines([titles.map { "\($0)" }] + rows)
        return .lines(
            lines + ["hours and minutes, the mean of the days with \(counted); days in \(days.zone)"]
                + warnings.map { "warning: \($0)" })
    }

    private static func hours(_ seconds: Double) -> String { NumberText.hours(Int(seconds.rounded())) }

    private func facts(_ period: SleepPeriod) -> [(key: String, value: Double)] {
        SleepOutput.facts(asleep: period.timeAsleep, gap: period.gapTime) { period.duration(of: $0) }
    }

    package var csv: [[UInt8]] {
        [CSVCell.line([unit.rawValue, "days"] + SleepOutput.keys + ["sources"])]
            + periods.map { period in
                CSVCell.line(
                    [unit.label(startingOn: period.start), String(period.days)]
                        + facts(period).map { NumberText.precise($0.value) }
                        + [period.sources.joined(separator: "; ")])
            }
    }

    package var json: String {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("path", path)
            writer.member("zone", days.zone)
            writer.member("by", unit.rawValue)
            writer.member("warnings", warnings.map(\.text))
            writer.member("periods", objects: periods) { period, writer in
                writer.member("start", period.start.description)
                writer.member("days", period.days)
                for fact in facts(period) {
                    writer.key(fact.key)
                    NumberText.write(fact.value, to: &writer)
                }
                writer.member("sources", period.sources)
            }
        }
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
