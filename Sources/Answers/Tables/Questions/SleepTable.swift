package import ByteText
import HealthModel
package import HealthQueries
package import SystemIO

/// The tables of `sleep`.
package enum SleepTable: Sendable {
    /// The stages that have their own columns; where a terminal is narrow, time in bed and unspecified sleep are left out, and
    /// gaps before them.
    private static let stages: [(title: String, name: String, value: SleepAnalysisValue)] = [
        ("core", "coreSeconds", .asleepCore), ("deep", "deepSeconds", .asleepDeep),
        ("REM", "remSeconds", .asleepREM), ("other", "unspecifiedSeconds", .asleepUnspecified),
        ("awake", "awakeSeconds", .awake), ("in bed", "inBedSeconds", .inBed),
    ]

    /// Returns the columns with the times of a night or of a mean.
    private static func times<Row, Seconds: TableCell & Numeric>(
        asleep: @escaping (Row) -> Seconds, gap: @escaping (Row) -> Seconds, hasGaps: Bool,
        hours: @escaping (Seconds) -> String, _ duration: @escaping (Row, SleepAnalysisValue) -> Seconds
    ) -> [TableColumn<Row>] {
        let shown: (Seconds) -> String = { $0 == 0 ? "" : hours($0) }
        let own = stages.map { title, name, stage -> TableColumn<Row> in
            let isOptional = stage == .inBed || stage == .asleepUnspecified
            return TableColumn(name, title: title, isOptional: isOptional, shown: shown) {
                duration($0, stage)
            }
        }
        let forms = hasGaps ? TableForms.all : [.csv, .json, .arrow]
        return [TableColumn("asleepSeconds", title: "asleep", shown: hours, asleep)] + own
            + [TableColumn("gapSeconds", in: forms, title: "gap", isOptional: true, shown: shown, gap)]
    }

    /// Returns the columns of nights.
    package static func columns(_ time: LocalTime, hasGaps: Bool) -> [TableColumn<SleepSession>] {
        let clock: (Timestamp) -> String = { String(time.text($0).dropFirst(11).prefix(5)) }
        return [
            TableColumn("night") { $0.day(in: time.days) },
            TableColumn("startDate", title: "from", isOptional: true, shown: clock) {
                time.days.timestamp($0.start.seconds)
            },
            TableColumn("endDate", title: "to", isOptional: true, shown: clock) {
                time.days.timestamp($0.end.seconds)
            },
        ]
            + times(
                asleep: \.timeAsleep, gap: \.gapTime, hasGaps: hasGaps, hours: { NumberText.hours($0) }
            ) { $0.duration(of: $1) } + [TableColumn("sources", title: "source") { $0.sources }]
    }

    /// Returns a table of nights.
    package static func nights(
        _ nights: [SleepSession], _ time: LocalTime, warnings: [TerminalText], hints: [TerminalText],
        path: BytePath
    ) -> Table<SleepSession> {
        var table = Table("nights", nights, columns(time, hasGaps: nights.contains { $0.gapTime > 0 }))
        table.facts = [
            ("path", path), ("zone", time.days.zone), ("warnings", (warnings + hints).map(\.text)),
        ]
        table.notes = ["hours and minutes, days in \(time.days.zone)"] + hints
        table.warnings = warnings
        return table
    }

    /// Returns a table of the means of weeks, months or years.
    ///
    /// - Parameters:
    ///   - periods: The means.
    ///   - unit: The length of the periods.
    ///   - days: The rule for days.
    ///   - limits: How much sleep the days have that counted, in words; empty if all did.
    ///   - warnings: What was not counted.
    ///   - hints: What else is to be said.
    ///   - path: The path of the source.
    package static func means(
        _ periods: [SleepPeriod], by unit: CalendarUnit, _ days: Days, limits: String,
        warnings: [TerminalText], hints: [TerminalText], path: BytePath
    ) -> Table<SleepPeriod> {
        var table = Table(
            "periods", periods,
            [
                TableColumn(unit.rawValue, in: [.text, .csv]) { unit.label(startingOn: $0.start) },
                TableColumn("startDate", in: .json) { $0.start }, TableColumn("days") { $0.days },
            ]
                + times(
                    asleep: \.timeAsleep, gap: \.gapTime, hasGaps: periods.contains { $0.gapTime > 0 },
                    hours: { NumberText.hours(Int($0.rounded())) }
                ) { $0.duration(of: $1) } + [TableColumn("sources", title: "source") { $0.sources }])
        table.facts = [
            ("path", path), ("zone", days.zone), ("by", unit.rawValue),
            ("warnings", (warnings + hints).map(\.text)),
        ]
        let counted = limits.isEmpty ? "sleep" : "\(limits) of sleep"
        table.notes =
            ["hours and minutes, the mean of the days with \(counted); days in \(days.zone)"] + hints
        table.warnings = warnings
        return table
    }
}
