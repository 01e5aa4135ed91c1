import CommandLineKit
import HealthModel
import HealthQueries

/// The options for values over time: how sources are merged, units, days and weeks.
struct SeriesOptions: Sendable {
    var merge = StatsCommand.Merge.priority
    var priority: [String] = []
    var units = UnitChoice.source
    var days = DayOptions()
    var weekStart = StatsCommand.WeekStart.monday

    static let elements: [GrammarElement<SeriesOptions>] = [
        .option(
            \.merge, "merge", value: "RULE", default: "priority",
            "how to merge sources: priority, max-source or none", as: .choice),
        .repeatedOption(
            \.priority, "priority", value: "NAME", "a source that comes before others; repeatable", as: .text),
        .option(
            \.units, "units", value: "SYSTEM", default: "source", "metric, us, uk or source", as: .choice),
        .including(\.days, DayOptions.elements),
        .option(
            \.weekStart, "week-start", value: "DAY", default: "monday", "the first day of the week",
            as: .choice),
    ]

    func validate() throws(UsageError) {
        if !priority.isEmpty, merge != .priority {
            throw UsageError(.invalidCombination, "--priority works only with --merge priority")
        }
    }

    /// The rule for merging sources.
    var rule: SourceMerge {
        switch merge {
        case .priority: .priority(priority)
        case .maxSource: .maximumSource
        case .none: .none
        }
    }
}
