/// A chart as SVG.
///
/// The drawing is complete in itself: it needs no fonts, scripts or other files, and follows the light or dark setting
/// of the reader. Titles and descriptions are read by screen readers.
public struct SVGDrawing: Sendable {
    let chart: Chart
    /// The width, in the units of the drawing.
    let width: Double
    /// The height of each panel without its labels.
    let panelHeight: Double
    /// Whether it is part of a page, which has the title and the style sheet already.
    let isEmbedded: Bool

    /// Creates a drawing.
    ///
    /// - Parameters:
    ///   - chart: The chart.
    ///   - width: The width in pixels at a scale of one.
    ///   - panelHeight: The height of each panel without its labels.
    public init(_ chart: Chart, width: Double = 720, panelHeight: Double = 220) {
        self.init(chart, width: width, panelHeight: panelHeight, isEmbedded: false)
    }

    init(_ chart: Chart, width: Double, panelHeight: Double, isEmbedded: Bool) {
        self.chart = chart
        self.width = max(200, width)
        self.panelHeight = max(40, panelHeight)
        self.isEmbedded = isEmbedded
    }

    /// The start of a drawing that is a file of its own, by which this program recognises it.
    public static let documentStart = "<svg xmlns=\"http://www.w3.org/2000/svg\" data-by=\"healthvault\""

    /// The drawing as a file of its own.
    public var document: String {
        var writer = MarkupWriter()
        write(to: &writer, identifier: "c")
        return writer.text + "\n"
    }

    /// Writes the drawing as an element.
    ///
    /// - Parameter identifier: The start of the identifiers in it, unique in the document.
    func write(to writer: inout MarkupWriter, identifier: String) {
        let layout = SVGLayout(self)
        let height = SVGText.number(layout.height)
        let title = identifier + "t"
        let description = identifier + "d"
        let names = "\(title) \(description)"
        let box = "0 0 \(SVGText.number(width)) \(height)"
        func content(_ writer: inout MarkupWriter) {
            writer.element("title", ["id": title], text: chart.title)
            writer.element("desc", ["id": description], text: summary)
            if !isEmbedded {
                SVGStyle.write(to: &writer)
                writer.shape("rect", ["class": "p", "width": "100%", "height": "100%"])
                writer.element("text", ["class": "t", "x": "12", "y": "22"], text: chart.title)
            }
            layout.write(to: &writer)
        }
        if isEmbedded {
            writer.element(
                "svg", ["class": "hv", "viewBox": box, "role": "img", "aria-labelledby": names], content)
        } else {
            writer.element(
                "svg",
                [
                    "xmlns": "http://www.w3.org/2000/svg", "data-by": "healthvault",
                    "width": SVGText.number(width), "height": height, "viewBox": box, "role": "img",
                    "aria-labelledby": names,
                ], content)
        }
    }

    /// The chart in words.
    private var summary: String {
        guard !chart.isEmpty else { return Chart.emptyText }
        let parts = chart.panels.flatMap { panel in
            panel.entries.compactMap { entry -> String? in
                guard let first = entry.points.first, let last = entry.points.last else { return nil }
                let low = entry.points.lazy.map(\.low).min() ?? first.low
                let high = entry.points.lazy.map(\.high).max() ?? first.high
                let range = [low, high].map { ChartNumber.text($0, panel.format) }
                let unit = panel.unit.isEmpty ? "" : " \(panel.unit)"
                let labels = [first, last].map { chart.axis.label($0) }
                return
                    "\(entry.title): \(ChartNumber.count(entry.points.count, "value")) from \(labels[0]) to "
                    + "\(labels[1]), between \(range[0]) and \(range[1])\(unit)."
            }
        }
        return (parts + [chart.caption]).filter { !$0.isEmpty }.joined(separator: " ")
    }
}
