/// The places of the parts of a drawing.
struct SVGLayout {
    private let drawing: SVGDrawing
    private let left: Double
    private let top: Double
    private let scales: [ValueScale]
    /// The legend's names, line by line.
    private let legend: [[(layer: ChartLayer, x: Double)]]

    private static let right = 14.0
    private static let labelHeight = 24.0
    private static let unitHeight = 26.0
    private static let legendHeight = 18.0
    /// An estimate of the width of a character.
    private static let characterWidth = 6.2

    init(_ drawing: SVGDrawing) {
        self.drawing = drawing
        let chart = drawing.chart
        scales = chart.panels.map { $0.scale(most: drawing.panelHeight < 120 ? 3 : 5) }
        let labels = zip(chart.panels, scales).flatMap { panel, scale in
            panel.isMap
                ? panel.entries.map(\.title.count)
                : scale.ticks.map { ChartNumber.tick($0, step: scale.step, panel.format).count }
        }
        left = 18 + Self.characterWidth * Double(labels.max() ?? 1)
        top = drawing.isEmbedded ? 2 : 34
        legend = Self.legend(chart, width: drawing.width)
    }

    private static func legend(_ chart: Chart, width: Double) -> [[(layer: ChartLayer, x: Double)]] {
        let layers = chart.legend
        guard layers.count > 1 else { return [] }
        var lines: [[(layer: ChartLayer, x: Double)]] = [[]]
        var x = 12.0
        for layer in layers {
            let needed = 32 + characterWidth * Double(layer.entry.title.count)
            if x + needed > width, !(lines.last?.isEmpty ?? true) {
                lines.append([])
                x = 12
            }
            lines[lines.count - 1].append((layer, x))
            x += needed
        }
        return lines
    }

    private var panelHeight: Double { drawing.panelHeight + Self.unitHeight }

    var height: Double {
        top + Double(max(1, drawing.chart.panels.count)) * panelHeight + Self.labelHeight
            + Double(legend.count) * Self.legendHeight
    }

    private func x(_ position: Double) -> Double {
        left + drawing.chart.axis.fraction(position) * (drawing.width - left - Self.right)
    }

    func write(to writer: inout MarkupWriter) {
        let chart = drawing.chart
        guard !chart.isEmpty else {
            writer.element(
                "text",
                [
                    "x": SVGText.number(drawing.width / 2), "y": SVGText.number(height / 2),
                    "text-anchor": "middle",
                ], text: Chart.emptyText)
            return
        }
        let ticks = chart.axis.ticks(most: max(2, Int((drawing.width - left) / 62)))
        var first = 0
        for (index, panel) in chart.panels.enumerated() {
            let start = top + Double(index) * panelHeight + Self.unitHeight
            let frame = SVGFrame(
                top: start, bottom: start + drawing.panelHeight, left: left,
                right: drawing.width - Self.right)
            if panel.isMap {
                SVGMap(frame: frame, panel: panel, x: x).write(to: &writer)
            } else {
                frame.writeGrid(panel, scales[index], ticks.map { x($0.position) }, to: &writer)
                SVGMarks(frame: frame, scale: scales[index], x: x).write(panel, first: first, to: &writer)
            }
            first += panel.legendCount
        }
        let bottom = top + Double(chart.panels.count) * panelHeight
        writeLabels(ticks, at: bottom + 15, to: &writer)
        for (line, names) in legend.enumerated() {
            let y = bottom + Self.labelHeight + Double(line) * Self.legendHeight + 10
            for name in names {
                SVGMarks.writeKey(of: name.layer, x: name.x, y: y - 4, to: &writer)
                writer.element(
                    "text", ["x": SVGText.number(name.x + 19), "y": SVGText.number(y)],
                    text: name.layer.entry.title)
            }
        }
    }

    /// Writes the labels of the horizontal axis that have room.
    private func writeLabels(_ ticks: [ChartAxis.Tick], at y: Double, to writer: inout MarkupWriter) {
        let places = ticks.map { tick in
            let half = Self.characterWidth * Double(tick.label.count) / 2
            let middle = min(max(x(tick.position), half + 2), drawing.width - half - 2)
            return (middle - half)...(middle + half)
        }
        for index in ChartAxis.labelled(ticks, at: places, gap: 4) {
            let middle = (places[index].lowerBound + places[index].upperBound) / 2
            writer.element(
                "text", ["x": SVGText.number(middle), "y": SVGText.number(y), "text-anchor": "middle"],
                text: ticks[index].label)
        }
    }
}

/// The frame of a panel.
struct SVGFrame {
    let top: Double
    let bottom: Double
    let left: Double
    let right: Double

    /// Writes the lines at the ticks, the labels of the vertical axis, and the unit.
    func writeGrid(
        _ panel: ChartPanel, _ scale: ValueScale, _ ticks: [Double], to writer: inout MarkupWriter
    ) {
        var lines = ""
        for tick in scale.ticks {
            let y = bottom - scale.fraction(tick) * (bottom - top)
            lines += "M\(SVGText.number(left)) \(SVGText.number(y))H\(SVGText.number(right))"
            writer.element(
                "text",
                [
                    "x": SVGText.number(left - 6), "y": SVGText.number(y + 4), "text-anchor": "end",
                ], text: ChartNumber.tick(tick, step: scale.step, panel.format))
        }
        for x in ticks where x >= left && x <= right {
            lines += "M\(SVGText.number(x)) \(SVGText.number(bottom))v4"
        }
        writer.shape("path", ["class": "g", "d": lines])
        let zero = scale.domain.contains(0) ? bottom - scale.fraction(0) * (bottom - top) : bottom
        writer.shape(
            "path",
            ["class": "a", "d": "M\(SVGText.number(left)) \(SVGText.number(zero))H\(SVGText.number(right))"])
        if !panel.unit.isEmpty {
            writer.element("text", ["x": "12", "y": SVGText.number(top - 11)], text: panel.unit)
        }
    }
}
