import CommandLineKit

/// The options for the form of a report.
struct ReportOptions: Sendable {
    var json = false
    var csv = false

    static let elements: [GrammarElement<ReportOptions>] = [
        .flag(\.json, "json", "report as JSON"),
        .flag(\.csv, "csv", "report as CSV"),
    ]

    func validate() throws(UsageError) {
        guard !json || !csv else {
            throw UsageError(.invalidCombination, "--json and --csv are two forms of one report")
        }
    }
}
