import CivilTime
import HealthModel
package import HealthQueries
import HealthVault
import JSONText
package import SystemIO
import Wording

/// The output of `sleep`.
package struct SleepOutput {
    private let nights: [SleepSession]
    private let time: LocalTime
    private let warnings: [TerminalText]
    private let path: BytePath

    package init(
        _ nights: [SleepSession], _ time: LocalTime, warnings: [TerminalText], path: BytePath
    ) {
        self.nights = nights
        self.time = time
        self.warnings = warnings
        self.path = path
    }

    /// The stages that have their own columns.
    static let stages: [(title: String, key: String, value: SleepAnalysisValue)] = [
        ("core", "coreSeconds", .asleepCore), ("deep", "deepSeconds", .asleepDeep),
        ("REM", "remSeconds", .asleepREM), ("other", "unspecifiedSeconds", .asleepUnspecified),
        ("awake", "awakeSeconds", .awake), ("in bed", "inBedSeconds", .inBed),
    ]

    package var text: TerminalText {
        let hasGaps = nights.contains { $0.gapTime > 0 }
        let alignments = Array(
            repeating: TextTable.Alignment.right, count: Self.stages.count + (hasGaps ? 2 : 1))
        // Where a terminal is narrow, time in bed and unspecified sleep are left out.
        var table = TextTable([.left, .left, .left] + alignments + [.left], optional: [7, 9])
        let titles =
            ["night", "from", "to", "asleep"] + Self.stages.map(\.title) + (hasGaps ? ["gap"] : []) + [
                "source"
            ]
        let rows = nights.map { night -> [TerminalText] in
            let hours = Self.stages.map { stage -> TerminalText in
                let seconds = night.duration(of: stage.value)
                return seconds == 0 ? "" : "\(NumberText.hours(seconds))"
            }
            let own: [TerminalText] = [
                "\(night.day(in: time.days))", "\(clock(night.start))", "\(clock(night.end))",
                "\(NumberText.hours(night.timeAsleep))",
            ]
            let gap: [TerminalText] = night.gapTime > 0 ? ["\(NumberText.hours(night.gapTime))"] : [""]
            return own + hours + (hasGaps ? gap : []) + [TerminalText.list(night.sources)]
        }
        let lines = table.lines([titles.map { "\($0)" }] + rows)
        return .lines(
            lines + ["hours and minutes, days in \(time.days.zone)"] + warnings.map { "warning: \($0)" })
    }

    /// Returns the time of day.
    private func clock(_ instant: Timestamp) -> String { String(time.text(instant).dropFirst(11).prefix(5)) }

    /// The names of what is told of a night or a mean.
    static let keys = facts(asleep: 0, gap: 0) { _ in 0 }.map(\.key)

    /// Returns what is told of a night or a mean, by name, in seconds.
    static func facts<Seconds>(
        asleep: Seconds, gap: Seconds, _ duration: (SleepAnalysisValue) -> Seconds
    ) -> [(key: String, value: Seconds)] {
        [("asleepSeconds", asleep)] + stages.map { ($0.key, duration($0.value)) } + [("gapSeconds", gap)]
    }

    private func facts(_ night: SleepSession) -> [(key: String, value: Int)] {
        Self.facts(asleep: night.timeAsleep, gap: night.gapTime) { night.duration(of: $0) }
    }

    package var csv: [[UInt8]] {
        [CSVCell.line(["night", "start", "end"] + Self.keys + ["sources"])]
            + nights.map { night in
                CSVCell.line(
                    [night.day(in: time.days).description, time.iso(night.start), time.iso(night.end)]
                        + facts(night).map { String($0.value) } + [night.sources.joined(separator: "; ")])
            }
    }

    package var json: String {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("path", path)
            writer.member("zone", time.days.zone)
            writer.member("warnings", warnings.map(\.text))
            writer.member("nights", objects: nights) { night, writer in
                writer.member("night", night.day(in: time.days).description)
                writer.member("start", time.iso(night.start))
                writer.member("end", time.iso(night.end))
                for fact in facts(night) { writer.member(fact.key, fact.value) }
                writer.member("sources", night.sources)
            }
        }
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
