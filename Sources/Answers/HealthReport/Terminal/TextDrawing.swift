/// A chart as lines of text.
public struct TextDrawing: Sendable {
    private let chart: Chart
    private let style: TextStyle
    private let rows: Int

    /// Creates a drawing.
    ///
    /// - Parameters:
    ///   - chart: The chart.
    ///   - style: What the terminal can show.
    ///   - rows: The height of each panel in lines.
    public init(_ chart: Chart, style: TextStyle, rows: Int = 10) {
        self.chart = chart
        self.style = style
        self.rows = max(3, rows)
    }

    /// The lines: title, panels, labels of the axis, legend and caption.
    public var lines: [[TextRun]] {
        guard !style.isUnicode else { return drawnLines }
        // Names may have characters that a terminal without UTF-8 cannot show.
        return drawnLines.map { runs in
            runs.map { TextRun(String($0.text.map { $0.isASCII ? $0 : "?" }), colour: $0.colour) }
        }
    }

    private var drawnLines: [[TextRun]] {
        var lines: [[TextRun]] = Self.wrapped(chart.title, style.columns).map { [TextRun($0)] }
        guard !chart.isEmpty else { return lines + [[TextRun(Chart.emptyText)]] + captionLines }
        let scales = chart.panels.map { $0.scale(most: min(5, rows / 2)) }
        let labels = zip(chart.panels, scales).map { panel, scale in
            panel.isMap
                ? panel.entries.map(\.title)
                : scale.ticks.map { ChartNumber.tick($0, step: scale.step, panel.format) }
        }
        let margin = labels.joined().map(\.count).max() ?? 0
        var columns = style.columns - margin - 2
        if chart.panels.contains(where: \.isMap), case .categories(let names) = chart.axis, !names.isEmpty {
            // Cells are equally wide.
            columns = max(1, columns / names.count) * names.count
        }
        var first = 0
        for (index, panel) in chart.panels.enumerated() {
            if panel.isMap {
                lines += map(panel, margin: margin, columns: columns)
                continue
            }
            if !panel.unit.isEmpty { lines.append([TextRun(Self.padded(panel.unit, to: margin))]) }
            var plot = TextPlot(
                canvas: TextCanvas(columns: columns, rows: rows, isUnicode: style.isUnicode),
                axis: chart.axis, scale: scales[index])
            plot.draw(panel, first: first)
            first += panel.legendCount
            lines += framed(plot.canvas, scales[index], labels[index], margin)
        }
        lines.append([TextRun(axisLabels(margin: margin, columns: columns))])
        lines += legendLines
        return lines + captionLines
    }

    /// Returns the rows of a plot with the labels of the vertical axis, and the horizontal axis.
    private func framed(
        _ canvas: TextCanvas, _ scale: ValueScale, _ labels: [String], _ margin: Int
    ) -> [[TextRun]] {
        var names: [Int: String] = [:]
        for (tick, label) in zip(scale.ticks, labels) {
            names[rows - Int((scale.fraction(tick) * Double(rows)).rounded())] = label
        }
        let (side, tick) = style.isUnicode ? ("│", "┤") : ("|", "+")
        var lines = (0..<rows).map { row -> [TextRun] in
            let label = Self.padded(names[row] ?? "", to: margin)
            return [TextRun(label + (names[row] == nil ? side : tick))] + canvas.runs(row: row)
        }
        let (corner, base) = style.isUnicode ? ("└", "─") : ("+", "-")
        let line = corner + String(repeating: base, count: canvas.columns)
        lines.append([TextRun(Self.padded(names[rows] ?? "", to: margin) + line)])
        return lines
    }

    /// Returns the rows of a map, and the key of its shades.
    private func map(_ panel: ChartPanel, margin: Int, columns: Int) -> [[TextRun]] {
        let shades = Array(style.isUnicode ? "·░▒▓█" : ".:+*#")
        var lines = [[TextRun]]()
        let extremes = panel.extremes
        let key = [extremes.first ?? "", String(shades), extremes.last ?? ""].joined(separator: " ")
        lines.append([TextRun(Self.padded("", to: margin + 1) + key)])
        let width = columns / max(1, Int(chart.axis.domain.upperBound))
        for entry in panel.entries {
            var cells = [Character](repeating: " ", count: columns)
            for point in entry.points {
                let start = Int((chart.axis.fraction(point.start) * Double(columns)).rounded())
                for column in start..<min(columns, start + max(1, width)) {
                    cells[column] = shades[panel.shade(point.value)]
                }
            }
            lines.append([
                TextRun(Self.padded(entry.title, to: margin) + " "), TextRun(String(cells), colour: 0),
            ])
        }
        return lines
    }

    /// Returns the labels of the horizontal axis that have room.
    private func axisLabels(margin: Int, columns: Int) -> String {
        let ticks = chart.axis.ticks(most: max(2, columns / 10))
        let starts = ticks.map { tick in
            let middle = margin + 1 + Int(chart.axis.fraction(tick.position) * Double(columns))
            return min(max(0, middle - tick.label.count / 2), max(0, style.columns - tick.label.count))
        }
        let places = zip(starts, ticks).map { Double($0)...Double($0 + $1.label.count) }
        var line = ""
        for index in ChartAxis.labelled(ticks, at: places, gap: 2) {
            line += String(repeating: " ", count: starts[index] - line.count) + ticks[index].label
        }
        return line
    }

    private var legendLines: [[TextRun]] {
        guard chart.legend.count > 1 else { return [] }
        var lines: [[TextRun]] = [[]]
        var length = 0
        for layer in chart.legend {
            let text = " \(layer.entry.title)  "
            if length > 0, length + text.count + 1 > style.columns {
                lines.append([])
                length = 0
            }
            lines[lines.count - 1] += [TextRun(mark(layer.entry), colour: layer.number), TextRun(text)]
            length += text.count + 1
        }
        return lines
    }

    private func mark(_ entry: ChartEntry) -> String {
        switch (entry.kind, style.isUnicode) {
        case (.bar, true): "█"
        case (.bar, false): "#"
        case (.range, true): "⡇"
        case (.range, false): "|"
        case (.line, true), (.point, true), (.cell, true): "⠒"
        case (.line, false), (.point, false), (.cell, false): "*"
        }
    }

    private var captionLines: [[TextRun]] {
        var texts = Self.wrapped(chart.caption, style.columns)
        if let note = TextPlot.note(chart, columns: style.columns) {
            texts += Self.wrapped(note, style.columns)
        }
        return texts.map { [TextRun($0)] }
    }

    private static func padded(_ text: String, to width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }

    /// Returns a text in lines of at most `columns` characters; words that are longer are broken.
    static func wrapped(_ text: String, _ columns: Int) -> [String] {
        var lines: [String] = []
        for word in text.split(separator: " ") {
            if let last = lines.last, last.count + 1 + word.count <= columns {
                lines[lines.count - 1] += " " + word
                continue
            }
            var rest = word
            while rest.count > columns {
                lines.append(String(rest.prefix(columns)))
                rest = rest.dropFirst(columns)
            }
            lines.append(String(rest))
        }
        return lines
    }
}
