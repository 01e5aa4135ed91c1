package import CommandLineKit
package import SystemIO

/// The options for the form of a report.
package struct ReportOptions: Sendable {
    package var json = false
    package var csv = false

    package init() {}

    package static let elements: [GrammarElement<ReportOptions>] = [
        .flag(\.json, "json", "print a JSON report"),
        .flag(\.csv, "csv", "print CSV"),
    ]

    /// Prints a report in the requested form.
    package func print(
        text: @autoclosure () -> TerminalText, csv: @autoclosure () -> [[UInt8]],
        json: @autoclosure () -> String
    ) throws(SystemError) {
        if self.json {
            try Console.print(json: json())
        } else if self.csv {
            try Console.print(csv: csv())
        } else {
            try Console.print(text())
        }
    }

    package func validate() throws(UsageError) {
        guard !json || !csv else {
            throw UsageError(.invalidCombination, "--json and --csv exclude each other")
        }
    }
}
