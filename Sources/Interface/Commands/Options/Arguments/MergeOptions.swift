package import ByteText
package import CommandLineKit
package import HealthModel

/// The options for merging several sources.
package struct MergeOptions: Sendable {
    /// The rules.
    package enum Rule: String, CaseIterable, Sendable {
        case priority
        case maxSource = "max-source"
        case none
    }

    package var given: Rule?
    package var priority: [String] = []

    package init() {}

    package static let elements: [GrammarElement<MergeOptions>] = [
        .option(
            \.given, "merge", value: "RULE", default: "priority",
            "how to merge sources: priority, max-source or none", as: .choice),
        .repeatedOption(
            \.priority, "priority", value: "NAME", "a source that comes before others; repeatable", as: .text),
    ]

    /// Whether any of the options was given.
    package var isGiven: Bool { given != nil || !priority.isEmpty }

    package func validate() throws(UsageError) {
        if !priority.isEmpty, given ?? .priority != .priority {
            throw UsageError(.invalidCombination, "--priority works only with --merge priority")
        }
    }

    /// The rule for merging.
    package var rule: SourceMerge {
        switch given ?? .priority {
        case .priority: .priority(priority)
        case .maxSource: .maximumSource
        case .none: .none
        }
    }
}

/// The option for the first day of the week.
package struct WeekStartOption: Sendable {
    /// The days, by their names.
    package enum Day: String, CaseIterable, Sendable {
        case monday, tuesday, wednesday, thursday, friday, saturday, sunday
    }

    package var given: Day?

    package init() {}

    package static let elements: [GrammarElement<WeekStartOption>] = [
        .option(
            \.given, "week-start", value: "DAY", default: "monday", "the first day of the week", as: .choice)
    ]

    /// The day: Monday unless another one was given.
    package var weekday: Weekday {
        Day.allCases.firstIndex(of: given ?? .monday).map { Weekday.allCases[$0] } ?? .monday
    }
}
