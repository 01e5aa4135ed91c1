package import HealthReport
package import SystemIO

/// Charts on a terminal.
package enum ChartText {
    /// The sequences that select the colours of entries.
    private static let colours: [TerminalText] = [
        "\u{1b}[36m", "\u{1b}[33m", "\u{1b}[32m", "\u{1b}[35m", "\u{1b}[34m", "\u{1b}[31m",
    ]

    /// Returns a chart as lines; names in it are escaped.
    package static func text(_ chart: Chart, style: TextStyle) -> TerminalText {
        .lines(
            TextDrawing(chart, style: style).lines.map { runs in
                .joined(
                    runs.map { run in
                        let text = TerminalText(escaping: run.text)
                        guard style.hasColours, let colour = run.colour else { return text }
                        return colours[colour % colours.count] + text + "\u{1b}[0m"
                    }, separator: "")
            })
    }
}
