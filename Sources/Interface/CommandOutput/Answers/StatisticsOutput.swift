package import CivilTime
import HealthModel
package import HealthQueries
import HealthVault
import JSONText
package import SystemIO
import Wording

/// The output of `stats`.
package struct StatisticsOutput {
    private let result: StatisticsResult
    private let path: BytePath
    private let unit: CalendarUnit
    private let options: [StatisticsOption]
    /// The intervals to show: all, or the greatest.
    private let intervals: [Statistics]
    /// What was averaged; empty if nothing was.
    private let subject: TerminalText

    package init(
        _ result: StatisticsResult, by unit: CalendarUnit, _ options: [StatisticsOption],
        _ intervals: [Statistics],
        of subject: TerminalText, path: BytePath
    ) {
        self.result = result
        self.path = path
        self.unit = unit
        self.options = options
        self.intervals = intervals
        self.subject = subject
    }

    /// Prints the statistics in the requested form.
    package func print(_ report: ReportOptions) throws {
        if report.json {
            try Console.print(json: head, "intervals", intervals.lazy.map { json($0) })
        } else if report.csv {
            for warning in result.warnings { Console.log("warning: \(warning)") }
            try Console.print(csv: [CSVCell.line(columns)])
            try Console.print(csv: intervals.lazy.map(csvLine))
        } else {
            try printTable()
        }
    }

    /// The number of rows of which the widest determines the first widths of the columns.
    private static let rowsAtOnce = 1000

    private func marked(_ lines: [TerminalText], _ values: [Double?]) -> [TerminalText] {
        let isAmount = options.first == .sum || options.first == .duration
        return isAmount ? LineMarks.append(values, to: lines) : LineMarks.append(places: values, to: lines)
    }

    private func printTable() throws {
        let title: [TerminalText] = ["\(unit.rawValue)"] + options.map { "\($0.rawValue)" } + [""]
        var table = TextTable([.left] + options.map { _ in .right } + [.left])
        var rows = [title]
        // What the small bar at the end of each line shows.
        var values: [Double?] = [nil]
        var hasPartial = false
        for interval in intervals {
            hasPartial = hasPartial || interval.isPartial
            rows.append(
                ["\(label(interval))"] + options.map { "\(shown(interval, $0))" }
                    + [interval.isPartial ? "*" : ""])
            values.append(options.first.flatMap { interval[$0] })
            guard rows.count >= Self.rowsAtOnce else { continue }
            try Console.print(.lines(marked(table.lines(rows), values)))
            (rows, values) = ([], [])
        }
        if !rows.isEmpty { try Console.print(.lines(marked(table.lines(rows), values))) }
        var lines: [TerminalText] = []
        if hasPartial {
            lines.append("* only a part of this \(unit.rawValue) is in the time or in the export")
        }
        let shownUnit: TerminalText = result.unit.isNull ? "" : " in \(result.unit)"
        lines.append("\(result.query.type.title)\(shownUnit)\(subject), days in \(result.days.zone)")
        lines.append("several sources, \(result.query.merge.rule)")
        lines.append("sources: \(TerminalText.list(result.sources))")
        lines += result.warnings.map { "warning: \($0)" }
        try Console.print(.lines(lines))
    }

    /// Returns the label of an interval: its hour, day, month or year.
    private func label(_ interval: Statistics) -> String {
        let time = LocalTime(days: result.days)
        return unit == .hour
            ? String(time.text(interval.start).dropLast(3))
            : unit.label(startingOn: result.days.day(of: interval.start.seconds))
    }

    private func shown(_ interval: Statistics, _ option: StatisticsOption) -> String {
        guard let value = interval[option] else { return "" }
        if option == .duration { return NumberText.duration(value) }
        // Parts of a step come only from samples that are counted in part.
        if result.unit == .count, value.magnitude >= 1 { return NumberText.rounded(value, digits: 0) }
        return NumberText.short(result.unit == .percent ? value * 100 : value)
    }

    private var columns: [String] {
        ["period", "start", "end", "unit", "count"] + options.map(\.rawValue) + ["partial"]
    }

    /// Returns the function that makes the line of an interval.
    private var csvLine: (Statistics) -> [UInt8] {
        let unit = result.unit.description
        return { interval in
            CSVCell.line(
                [label(interval), interval.start.iso, interval.end.iso, unit, String(interval.count)]
                    + options.map { interval[$0].map { NumberText.precise($0) } ?? "" }
                    + [interval.isPartial ? "yes" : "no"])
        }
    }

    /// Everything but the intervals, as a JSON object.
    private var head: String {
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
            writer.member("warnings", result.warnings.map(\.text))
        }
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    private func json(_ interval: Statistics) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("start", interval.start.iso)
            writer.member("end", interval.end.iso)
            writer.member("count", interval.count)
            writer.member("isPartial", interval.isPartial)
            for option in options {
                guard let value = interval[option] else { continue }
                writer.key(option.rawValue)
                NumberText.write(value, to: &writer)
            }
        }
        return writer.bytes
    }
}

extension StatisticsResult {
    /// The warnings about what was not counted, and sources that are not there.
    package var warnings: [TerminalText] { omissions + Self.warnings(ofAbsent: absentSources) }

    /// The warnings about what was not counted.
    var omissions: [TerminalText] {
        var omissions: [TerminalText] = []
        if undated > 0 {
            omissions.append("\(Quantities.count(undated, "sample")) without a date not counted")
        }
        omissions += Self.warnings(ofOverlong: overlong)
        if skipped > undated + overlong {
            let count = Quantities.count(skipped - undated - overlong, "sample")
            omissions.append("\(count) without a convertible unit not counted")
        }
        return omissions
    }

    /// What all samples lack, such as a date, if there are any and none is counted; nil if there are none, or some are counted.
    package var lacking: TerminalText? {
        guard skipped > 0, intervals.isEmpty else { return nil }
        if skipped > undated + overlong { return "in a convertible unit" }
        return overlong > 0 ? Self.ofUsualLength : "with a date"
    }

    /// What a type lacks all of whose samples last too long to count.
    package static let ofUsualLength: TerminalText = "of at most a year"

    /// The names with a priority that no source has.
    var absentSources: [String] {
        guard case .priority(let names) = query.merge else { return [] }
        return names.filter { name in !sources.contains { name.reads(like: $0) } }
    }

    /// The warnings about samples that last too long to count, which sleep has as well.
    package static func warnings(ofOverlong count: Int) -> [TerminalText] {
        count == 0 ? [] : ["\(Quantities.count(count, "sample")) of more than a year not counted"]
    }

    static func warnings(ofAbsent names: [String]) -> [TerminalText] {
        names.isEmpty ? [] : ["no such source: \(TerminalText.list(names))"]
    }
}

extension [StatisticsResult] {
    /// The warnings about what was not counted of each quantity, and sources that none of them has.
    package var warnings: [TerminalText] {
        let omissions = flatMap { result in
            result.omissions.map { omission in
                count == 1 ? omission : "\(result.query.type.title): \(omission)"
            }
        }
        let absent = (first?.absentSources ?? []).filter { name in
            allSatisfy { $0.absentSources.contains(name) }
        }
        return omissions + StatisticsResult.warnings(ofAbsent: absent)
    }
}
