import CivilTime
import CommandOutput
import HealthModel
import HealthQueries
import JSONText
import SystemIO

/// The output of `stats`.
struct StatisticsOutput {
    private let result: StatisticsResult
    private let path: BytePath

    init(_ result: StatisticsResult, path: BytePath) {
        self.result = result
        self.path = path
    }

    private var unit: CalendarUnit { result.query.interval.unit }
    private var options: [StatisticsOption] { result.options }
    private var isPercent: Bool { result.unit == .percent }

    var text: TerminalText {
        let title: [TerminalText] = ["\(unit.rawValue)"] + options.map { "\($0.rawValue)" }
        var table = TextTable([.left] + options.map { _ in .right })
        let rows = result.intervals.map { interval -> [TerminalText] in
            ["\(label(interval))"] + options.map { "\(shown(interval, $0))" }
        }
        let values = [nil] + result.intervals.map { interval in options.first.flatMap { interval[$0] } }
        let plain = table.lines([title] + rows)
        let isAmount = options.first == .sum || options.first == .duration
        var lines =
            isAmount ? LineMarks.append(values, to: plain) : LineMarks.append(places: values, to: plain)
        let shownUnit: TerminalText = result.unit.isNull ? "" : " in \(result.unit)"
        lines.append("\(result.query.type.title)\(shownUnit), days in \(result.days.zone)")
        lines.append("several sources, \(result.query.merge.rule)")
        lines.append("sources: \(TerminalText.list(result.sources))")
        lines += warnings.map { "warning: \($0)" }
        return .lines(lines)
    }

    /// The warnings about the result.
    var warnings: [TerminalText] {
        var warnings: [TerminalText] = []
        if result.skipped > 0 {
            let count = Quantities.count(result.skipped, "sample")
            warnings.append("\(count) without a convertible unit not counted")
        }
        if case .priority(let names) = result.query.merge {
            let absent = names.filter { !result.sources.contains($0) }
            if !absent.isEmpty { warnings.append("no such source: \(TerminalText.list(absent))") }
        }
        return warnings
    }

    /// Returns the label of an interval: its hour, day, month or year.
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
        return NumberText.short(isPercent ? value * 100 : value)
    }

    var csv: [String] {
        let header = ["start", "end", "unit", "count"] + options.map(\.rawValue)
        return [CSVText.line(header)]
            + result.intervals.map { interval in
                CSVText.line(
                    [
                        interval.start.iso, interval.end.iso, result.unit.description,
                        String(interval.count),
                    ] + options.map { interval[$0].map { NumberText.precise($0) } ?? "" })
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
                            NumberText.write(value, to: &writer)
                        }
                    }
                }
            }
        }
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
