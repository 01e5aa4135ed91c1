import CommandLineKit
import HealthModel
import HealthVault
import SampleBatches
import SystemIO

/// The options that select a part of an archive: samples of some types and days, or single entries.
struct SelectionOptions: Sendable {
    var types: [SampleTypeName]?
    var excludedTypes: [SampleTypeName] = []
    var since: TimeLimit?
    var until: TimeLimit?
    var last: CalendarPeriod?
    var entries: [BytePath] = []

    static let elements: [GrammarElement<SelectionOptions>] = [
        .option(\.types, "types", value: "A,B", "only samples of these types", as: types),
        .option(\.excludedTypes, "exclude", value: "A,B", "no samples of these types", as: types),
        .option(
            \.since, "since", value: "DATE", "no samples that start before this day or instant", as: limit),
        .option(
            \.until, "until", value: "DATE", "no samples that start after this day or instant", as: limit),
        .option(
            \.last, "last", value: "18m", "only the last days (10d), weeks (2w), months or years (5y)",
            as: ValueParser(expected: "a length of time such as 10d, 2w, 18m or 5y") {
                CalendarPeriod(parsing: $0)
            }),
        .repeatedOption(
            \.entries, "entry", value: "NAME", "only this file or entry; may be repeated", as: .file),
    ]

    private static let types: ValueParser<[SampleTypeName]> = .list(
        of: ValueParser(
            expected: "sample types such as heartRate or group:vitals",
            completion: .choice(SampleTypeName.suggestions)
        ) { SampleTypeName(parsing: $0) })

    private static let limit = ValueParser(
        expected: "a day such as 2023-05-31 or an instant such as 2023-05-31T18:30:00+02:00"
    ) { TimeLimit(parsing: $0) }

    func validate() throws(UsageError) {
        if !entries.isEmpty, samples != nil {
            throw UsageError(
                .invalidCombination, "--entry names entries; types and times do not go with it",
                hint: "decrypt samples and entries into two folders")
        }
        if last != nil, since != nil || until != nil {
            throw UsageError(
                .invalidCombination, "--last says all about the time; --since and --until do not go with it")
        }
        if let since, let until, !Self.isOrdered(since, until) {
            throw UsageError(.invalidCombination, "--since is later than --until")
        }
    }

    /// Returns whether there is any time between the two; a day and an instant can be compared only with the archive.
    private static func isOrdered(_ since: TimeLimit, _ until: TimeLimit) -> Bool {
        switch (since, until) {
        case (.day, .day), (.instant, .instant):
            since.firstSecond(offsetMinutes: 0) <= until.lastSecond(offsetMinutes: 0)
        default: true
        }
    }

    /// Whether less than the whole archive is wanted.
    var isGiven: Bool { samples != nil || !entries.isEmpty }

    /// The samples that are wanted; nil if no option is about samples.
    var samples: SampleSelection? {
        let selection = SampleSelection(
            types: types, excluding: excludedTypes, since: since, until: until, last: last)
        return selection == SampleSelection() ? nil : selection
    }
}
