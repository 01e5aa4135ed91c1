package import ByteText
package import CommandLineKit
package import HealthModel
package import SystemIO

/// The options for a period: from one year, month, day or time to another, one of them, or the last days.
package struct TimeOptions: Sendable {
    package var since: TimeLimit?
    package var until: TimeLimit?
    package var within: TimeLimit?
    package var last: CalendarPeriod?

    package init() {}

    package static let elements: [GrammarElement<TimeOptions>] = [
        .option(
            \.since, "since", value: "DATE", "only from this year, month, day or time on",
            as: limit),
        .option(
            \.until, "until", value: "DATE", "only until the end of this year, month, day or time",
            as: limit),
        .option(
            \.within, "in", value: "DATE", "only in this year, month or day",
            as: ValueParser(expected: "a year, month or day such as 2023, 2023-05, 2023-05-31 or yesterday") {
                TimeLimit(parsing: $0).flatMap { $0.isDays ? $0 : nil }
            }),
        .including(\.last, length),
    ]

    /// The option for a length of time, counted back from the day of the export.
    package static let length: [GrammarElement<CalendarPeriod?>] = [
        .option(
            \.self, "last", value: "TIME", "only the last days (10d), weeks (2w), months (18m) or years (5y)",
            as: ValueParser(expected: "a length of time such as 10d, 2w, 18m or 5y") {
                CalendarPeriod(parsing: $0)
            })
    ]

    /// Parses a bound of a time.
    package static let limit = ValueParser(
        expected:
            "a year, month, day or time such as 2023, 2023-05, 2023-05-31, yesterday or 2023-05-31T18:30"
    ) { TimeLimit(parsing: $0) }

    package func validate() throws(UsageError) {
        for (isGiven, option) in [(last != nil, "--last"), (within != nil, "--in")]
        where isGiven && (since != nil || until != nil) {
            throw UsageError(
                .invalidCombination, "\(option) cannot be combined with --since or --until")
        }
        if last != nil, within != nil {
            throw UsageError(.invalidCombination, "--last and --in exclude each other")
        }
        if let since, let until, !Self.isOrdered(since, until) {
            throw UsageError(.invalidCombination, "--since is later than --until")
        }
    }

    /// Returns whether `since` is not later than `until`; others can be compared only with the archive.
    private static func isOrdered(_ since: TimeLimit, _ until: TimeLimit) -> Bool {
        switch (since, until) {
        case (.instant, .instant): isOrdered(since, until, now: 0)
        case (.instant, _), (_, .instant): true
        case (.daysAgo, .daysAgo): isOrdered(since, until, now: 0)
        case (.daysAgo, _), (_, .daysAgo): true
        default: isOrdered(since, until, now: 0)
        }
    }

    private static func isOrdered(_ since: TimeLimit, _ until: TimeLimit, now: Int) -> Bool {
        since.seconds(.utc, now: now).lowerBound < until.seconds(.utc, now: now).upperBound
    }

    /// The first year, month, day or time; nil for no limit.
    package var first: TimeLimit? { within ?? since }
    /// The last one; nil for no limit.
    package var final: TimeLimit? { within ?? until }

    /// The selected period.
    package var range: QueryTimeRange { last.map { .last($0) } ?? .limited(first, final) }

    /// The selected period of an answer: the last days end with that of the export.
    package var answeredRange: QueryTimeRange { last == nil ? range : range.endingWithExport }

    /// Returns the selected period, up to the export if it has no end and samples of some types are dated later: the intervals
    /// of an answer are otherwise whole.
    package func range(
        before types: [AnySampleType], of contents: StoreContents, _ days: Days?
    ) -> QueryTimeRange {
        let isLater = types.contains { contents.dayAfterExport(of: $0, by: days ?? contents.days) != nil }
        return isLater ? range.endingWithExport : range
    }

    /// Returns the warnings about samples that are dated after the export, which are not shown if the answer ends with it.
    ///
    /// - Parameters:
    ///   - types: The types that are asked for.
    ///   - range: The period of the answer.
    ///   - contents: What the source contains.
    ///   - days: The rule for days; nil for that of the source.
    package func warnings(
        onLater types: [AnySampleType], in range: QueryTimeRange, of contents: StoreContents, _ days: Days?
    ) -> [TerminalText] {
        func end(_ range: QueryTimeRange) -> Int { range.resolved(in: contents, days: days).upperBound }
        let isShown = end(range) > end(QueryTimeRange.ever.endingWithExport)
        // Nobody misses what is not asked for.
        guard isShown || final == nil else { return [] }
        return types.compactMap { type in
            guard let day = contents.dayAfterExport(of: type, by: days ?? contents.days) else { return nil }
            let subject: TerminalText = types.count == 1 ? "" : "\(type.title): "
            let omission: TerminalText = isShown ? "" : ", and not shown"
            return "\(subject)samples up to \(day) are dated after the export\(omission)"
        }
    }
}

extension TimeLimit {
    /// Whether it is a day or several, rather than a time.
    fileprivate var isDays: Bool {
        switch self {
        case .day, .days, .daysAgo: true
        case .local, .instant, .minute: false
        }
    }
}
