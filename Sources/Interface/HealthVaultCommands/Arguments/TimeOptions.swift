import CivilTime
import CommandLineKit
import HealthModel

/// The options for a period: from one day or instant to another, or the last days.
struct TimeOptions: Sendable {
    var since: TimeLimit?
    var until: TimeLimit?
    var last: CalendarPeriod?

    static let elements: [GrammarElement<TimeOptions>] = [
        .option(
            \.since, "since", value: "DATE", "only samples that start on or after this day or instant",
            as: limit),
        .option(
            \.until, "until", value: "DATE", "only samples that start on or before this day or instant",
            as: limit),
        .option(
            \.last, "last", value: "TIME", "only the last days (10d), weeks (2w), months (18m) or years (5y)",
            as: ValueParser(expected: "a length of time such as 10d, 2w, 18m or 5y") {
                CalendarPeriod(parsing: $0)
            }),
    ]

    private static let limit = ValueParser(
        expected: "a day such as 2023-05-31 or an instant such as 2023-05-31T18:30:00+02:00"
    ) { TimeLimit(parsing: $0) }

    func validate() throws(UsageError) {
        if last != nil, since != nil || until != nil {
            throw UsageError(
                .invalidCombination, "--last cannot be combined with --since or --until")
        }
        if let since, let until, !Self.isOrdered(since, until) {
            throw UsageError(.invalidCombination, "--since is later than --until")
        }
    }

    /// Returns whether `since` is not later than `until`; a day and an instant can be compared only with the archive.
    private static func isOrdered(_ since: TimeLimit, _ until: TimeLimit) -> Bool {
        switch (since, until) {
        case (.day, .day), (.instant, .instant):
            since.firstSecond(offsetMinutes: 0) <= until.lastSecond(offsetMinutes: 0)
        default: true
        }
    }

    /// The selected period.
    var range: QueryTimeRange { last.map { .last($0) } ?? .limited(since, until) }
}
