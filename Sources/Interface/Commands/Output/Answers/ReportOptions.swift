package import CommandLineKit

/// The options for the form of a report.
package struct ReportOptions: Sendable {
    package var json = false
    package var csv = false

    package init(json: Bool = false) { self.json = json }

    package static let elements: [GrammarElement<ReportOptions>] = [
        .flag(\.json, "json", "print a JSON report"),
        .flag(\.csv, "csv", "print CSV"),
    ]

    package func validate() throws(UsageError) {
        guard !json || !csv else {
            throw UsageError(.invalidCombination, "--json and --csv exclude each other")
        }
    }
}
