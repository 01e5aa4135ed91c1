import ByteText
import CommandLineKit
import HealthModel
import HealthQueries
import HealthVault
import Tables
import Wording

/// The command `healthvault sleep`.
struct SleepCommand: QuestionCommand {
    var answer = AnswerOptions()
    var threshold: Int?
    var main = false
    var merge = MergeOptions.Rule.priority
    var above: Int?
    var below: Int?
    var period: CalendarUnit?
    var weekStart = WeekStartOption()

    static let grammar = CommandGrammar<Self>(
        name: "sleep",
        summary: "Shows each night with the time in each sleep stage.",
        discussion: """
            A gap of an hour ends a night. A night belongs to the day on which it ends. Time recorded by several apps \
            counts once. If they disagree on the stage, that of a watch counts, then a phone's, then that of others, so the \
            stages add up to the time asleep; awake is what none recorded as sleep. --merge none shows each source by itself. \
            Time in bed does not count as sleep. --by averages the days of each week, month or year: all sleep that ends on a day counts, naps too, and days \
            without sleep are left out.
            """,
        examples: [
            HelpExample("healthvault sleep health.hvault --last 2w", "Show the last two weeks"),
            HelpExample(
                "healthvault sleep export.zip --csv --merge none", "Print the nights of each source as CSV"),
            HelpExample(
                "healthvault sleep health.hvault --by month --main --last 1y",
                "Show how long the main sleep of a day was in each month of a year"),
        ],
        elements: [
            .including(\.answer, AnswerOptions.arguments),
            .including(\.answer, AnswerOptions.selection),
            .option(
                \.threshold, "threshold", value: "MINUTES", default: "60; 120 with --main",
                "the gap that ends a night", as: .integer(in: 1...1440)),
            .flag(
                \.main, "main",
                "show each day's main sleep: the longest that ends on it, where shorter gaps are interruptions"
            ),
            .option(
                \.above, "above", value: "TIME",
                "only nights, or days with --by, with more sleep than this, such as 8h", as: .duration),
            .option(
                \.below, "below", value: "TIME",
                "only nights, or days with --by, with less sleep than this, such as 6h",
                as: .duration),
            .option(
                \.merge, "merge", value: "RULE", default: "priority",
                "priority, or none: show each source by itself", as: .choice(among: [.priority, .none])),
            .option(
                \.period, "by", value: "UNIT", default: "each night", "the mean of each week, month or year",
                as: .choice(among: [.week, .month, .year])),
            .including(\.weekStart, WeekStartOption.elements),
            .including(\.answer, AnswerOptions.form),
        ])

    func validate() throws(UsageError) {
        if main, separate {
            throw UsageError(.invalidCombination, "--main and --merge none exclude each other")
        }
        if weekStart.given != nil, period != .week {
            throw UsageError(.invalidCombination, "--week-start works only with --by week")
        }
        if let above, let below, above + 1 >= below {
            throw UsageError(.invalidCombination, "--above is not less than --below")
        }
        try answer.validate()
    }

    private var separate: Bool { merge == .none }

    /// The seconds of sleep that are asked for; nil for all.
    private var limits: Range<Int>? {
        above == nil && below == nil ? nil : (above.map { $0 + 1 } ?? 1)..<(below ?? .max)
    }

    /// The limits in words.
    private var shownLimits: String {
        [
            above.map { "more than \(NumberText.hours($0))" },
            below.map { "less than \(NumberText.hours($0))" },
        ]
        .compactMap(\.self).joined(separator: " and ")
    }

    /// Returns the error that no night is within the limits, with the times that nights have.
    private func noneWithin(_ nights: [SleepSession]) -> any Error {
        let times = nights.map(\.timeAsleep).filter { $0 > 0 }
        guard limits != nil, let least = times.min(), let most = times.max() else {
            return VaultError(.nothingSelected, path: answer.source.path)
        }
        let range =
            least == most
            ? NumberText.hours(least) : "\(NumberText.hours(least)) to \(NumberText.hours(most))"
        return Absence(
            path: answer.source.path, what: "night with \(shownLimits) of sleep",
            hint: "\(Quantities.count(times.count, "night")) with \(range) of sleep")
    }

    func ask() async throws -> ExitStatus {
        let store = try answer.source.open()
        let gap = threshold.map { $0 * 60 } ?? (main ? SleepSession.longestInterruption : 3600)
        let found = try await store.sleepTimes(
            in: answer.time.answeredRange, threshold: gap, separateBySource: separate,
            where: answer.samples.predicate, days: try answer.days.given)
        let time = LocalTime(days: try await answer.days.days(of: store))
        let nights = main ? found.sessions.mainSleep(in: time.days) : found.sessions
        guard !nights.isEmpty else {
            throw found.noneLeft(of: answer.source.path)
        }
        let warnings = found.warnings + (try await answer.warnings(onLater: [.sleepAnalysis], in: store))
        if let period {
            let days = time.days.startingWeeks(on: weekStart.weekday)
            let means = nights.means(by: period, in: days, within: limits, separateBySource: separate)
            guard !means.isEmpty else { throw noneWithin(nights) }
            try answer.report.print(
                SleepTable.means(
                    means, by: period, days, limits: shownLimits, warnings: warnings, hints: found.hints,
                    path: answer.source.path))
            return .done
        }
        let shown = nights.filter { limits?.contains($0.timeAsleep) ?? true }
        if limits != nil {
            let asleep = nights.count { $0.timeAsleep > 0 }
            guard !shown.isEmpty else { throw noneWithin(nights) }
            answer.report.log(
                "\(shown.count) of \(Quantities.count(asleep, "night")) with \(shownLimits) of sleep")
        }
        try answer.report.print(
            SleepTable.nights(
                shown, time, warnings: warnings, hints: found.hints, path: answer.source.path))
        return .done
    }
}
