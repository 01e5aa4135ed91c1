import HealthModel
import HealthQueries
import JSONText
import SampleBatches
import SystemIO
import VaultContainer

/// The output of `stats`.
struct StatisticsOutput {
    private let result: StatisticsResult
    private let unit: CalendarUnit
    private let path: BytePath
    private let options: [StatisticsOption]

    init(_ result: StatisticsResult, _ unit: CalendarUnit, path: BytePath) {
        self.result = result
        self.unit = unit
        self.path = path
        options = result.options
    }

    private var isPercent: Bool { result.unit == .percent }

    var text: TerminalText {
        let title: [TerminalText] = ["\(unit.rawValue)"] + options.map { "\($0.rawValue)" }
        var table = TextTable([.left] + options.map { _ in .right })
        let rows = result.intervals.map { interval -> [TerminalText] in
            ["\(label(interval))"] + options.map { "\(shown(interval, $0))" }
        }
        var lines = table.lines([title] + rows)
        let shownUnit: TerminalText = result.unit.isNull ? "" : " in \(result.unit)"
        lines.append("\(result.query.type.title)\(shownUnit), days in \(result.days.zone)")
        if result.sources.count > 1 {
            lines.append("several sources, \(result.query.merge.rule)")
            lines.append("sources: \(TerminalText.list(result.sources))")
        }
        lines += warnings.map { "warning: \($0)" }
        return .lines(lines)
    }

    private var warnings: [TerminalText] {
        guard result.skipped > 0 else { return [] }
        let count = Quantities.count(result.skipped, "sample")
        return ["\(count) without a number in a unit that can be converted not counted"]
    }

    /// Returns what an interval is called: its hour, its day, its month, its year.
    private func label(_ interval: Statistics) -> String {
        let time = LocalTime(days: result.days)
        return switch unit {
        case .hour: String(time.text(interval.start).dropLast(3))
        case .day, .week: time.day(interval.start)
        case .month: String(time.day(interval.start).dropLast(3))
        case .year: String(time.day(interval.start).prefix(4))
        }
    }

    private func shown(_ interval: Statistics, _ option: StatisticsOption) -> String {
        guard let value = interval[option] else { return "" }
        if option == .duration { return NumberText.duration(value) }
        return NumberText.rounded(isPercent ? value * 100 : value)
    }

    var csv: [String] {
        let header = ["start", "end", "unit", "count"] + options.map(\.rawValue)
        return [CSVText.line(header)]
            + result.intervals.map { interval in
                CSVText.line(
                    [
                        interval.start.iso, interval.end.iso, result.unit.description,
                        String(interval.count),
                    ] + options.map { interval[$0].map { NumberText.rounded($0, digits: 6) } ?? "" })
            }
    }

    var json: String {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("path", path)
            writer.member("type", result.query.type.identifier)
            writer.member("unit", result.unit.description)
            writer.member("by", unit.rawValue)
            writer.member("zone", result.days.zone)
            writer.member("merge", result.query.merge.rule)
            writer.member("sources", result.sources)
            writer.member("skipped", result.skipped)
            writer.member("warnings", warnings.map(\.text))
            writer.key("intervals")
            writer.array { writer in
                for interval in result.intervals {
                    writer.object { writer in
                        writer.member("start", interval.start.iso)
                        writer.member("end", interval.end.iso)
                        writer.member("count", interval.count)
                        for option in options {
                            guard let value = interval[option] else { continue }
                            writer.key(option.rawValue)
                            NumberText.write(value, digits: 6, to: &writer)
                        }
                    }
                }
            }
        }
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
