import CommandLineKit
import Tables

/// The options for values over time: how sources are merged, units, days and weeks.
struct SeriesOptions: Sendable {
    var merge = MergeOptions()
    var units = UnitChoice.source
    var days = DayOptions()
    var weekStart = WeekStartOption()

    static let elements: [GrammarElement<SeriesOptions>] = [
        .including(\.merge, MergeOptions.elements),
        .option(
            \.units, "units", value: "SYSTEM", default: "source", "metric, us, uk or source", as: .choice),
        .including(\.days, DayOptions.elements),
        .including(\.weekStart, WeekStartOption.elements),
    ]

    func validate() throws(UsageError) { try merge.validate() }
}
