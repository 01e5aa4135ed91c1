package import ByteText
import HealthModel
package import HealthQueries
package import SystemIO

/// The table of `stats` of a category.
package enum CategoryTable: Sendable {
    /// Returns a table of intervals: their samples, how long they are and, of each value, how many or how long.
    ///
    /// - Parameters:
    ///   - intervals: The intervals to show: all, or the greatest.
    ///   - result: What they are of.
    ///   - unit: Their length.
    ///   - rule: How sources were merged.
    ///   - warnings: What was not counted.
    ///   - path: The path of the source.
    package static func table(
        _ intervals: [CategoryStatistics.Interval], of result: CategoryStatistics, by unit: CalendarUnit,
        rule: String, warnings: [TerminalText], path: BytePath
    ) -> Table<CategoryStatistics.Interval> {
        let hasTime = result.hasTime
        let isTotalShown = hasTime && result.values.isEmpty
        var columns: [TableColumn<CategoryStatistics.Interval>] = [
            TableColumn("period", in: [.text, .csv], title: unit.rawValue) {
                StatisticsTable.label($0.start, unit, result.days)
            },
            TableColumn("startDate", in: [.csv, .json]) { $0.start },
            TableColumn("endDate", in: [.csv, .json]) { $0.end },
            TableColumn("count", title: "entries") { $0.count },
            TableColumn("isPartial", in: .json) { $0.isPartial },
            TableColumn(
                "duration", in: isTotalShown ? .all : [.csv, .json, .arrow],
                shown: { NumberText.duration(Double($0)) }
            ) { $0.duration },
        ]
        for (place, value) in result.values.enumerated() {
            let isHeld = result.intervals.contains { $0.counts[place] > 0 }
            let name = memberName(value)
            columns += [
                TableColumn(
                    "\(name)Count", in: isHeld && !hasTime ? .all : [.csv, .json, .arrow], title: value.title,
                    shown: { $0 == 0 ? "" : "\($0)" }
                ) { $0.counts[place] },
                TableColumn(
                    "\(name)Seconds", in: isHeld && hasTime ? .all : [.csv, .json, .arrow],
                    title: value.title,
                    shown: { $0 == 0 ? "" : NumberText.hours($0) }
                ) { $0.seconds[place] },
            ]
        }
        columns.append(
            TableColumn("isPartial", in: [.text, .csv], title: "", shown: { $0 ? "*" : "" }) { $0.isPartial })
        var table = Table("intervals", intervals, columns)
        table.facts = [
            ("path", path), ("type", result.type.identifier), ("by", unit.rawValue),
            ("zone", result.days.zone), ("merge", rule), ("sources", result.sources),
            ("skipped", result.undated + result.overlong), ("warnings", warnings.map(\.text)),
        ]
        table.footnote = (
            \.isPartial, "* partial: not all of this \(unit.rawValue) was selected or exported"
        )
        let times: TerminalText =
            !hasTime ? "" : isTotalShown ? ", time that several cover once" : ", in hours and minutes"
        table.notes =
            [
                "\(result.type.title) by the \(unit.rawValue) in which they start\(times), days in \(result.days.zone)"
            ] + MergeNote.lines(rule, of: result.sources)
        table.warnings = warnings
        table.marks = ({ Double(hasTime ? $0.duration : $0.count) }, isAmount: true)
        return table
    }

    /// Returns the title of a value as the name of a member: `notPresent`.
    private static func memberName(_ value: CategoryValues.Member) -> String {
        let words = value.title.split(separator: " ")
        return words.enumerated().map { place, word in
            place == 0 ? String(word) : word.prefix(1).uppercased() + word.dropFirst()
        }.joined()
    }
}
