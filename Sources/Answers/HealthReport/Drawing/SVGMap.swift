/// The rows of a map: the greater a value, the stronger its shade.
struct SVGMap {
    let frame: SVGFrame
    let panel: ChartPanel
    /// Returns the place of a coordinate.
    let x: (Double) -> Double

    private static let opacities = [".12", ".32", ".52", ".75", "1"]

    /// Writes the rows with their names, and the key of the shades.
    func write(to writer: inout MarkupWriter) {
        let height = (frame.bottom - frame.top) / Double(max(1, panel.entries.count))
        var paths = [String](repeating: "", count: ChartPanel.shades)
        for (row, entry) in panel.entries.enumerated() {
            let top = frame.top + Double(row) * height
            writer.element(
                "text",
                [
                    "x": SVGText.number(frame.left - 6), "y": SVGText.number(top + height / 2 + 4),
                    "text-anchor": "end",
                ], text: entry.title)
            for point in entry.points {
                let (start, end) = (x(point.start), x(point.end))
                paths[panel.shade(point.value)] += rectangle(start, top, end - start - 1, height - 1)
            }
        }
        for (shade, path) in paths.enumerated() where !path.isEmpty { write(path, shade, to: &writer) }
        writeKey(to: &writer)
    }

    private func writeKey(to writer: inout MarkupWriter) {
        let extremes = panel.extremes
        guard let low = extremes.first, let high = extremes.last else { return }
        let y = frame.top - 11
        let start = frame.left + 6.5 * Double(low.count) + 5
        writer.element("text", ["x": SVGText.number(frame.left), "y": SVGText.number(y)], text: low)
        for shade in 0..<ChartPanel.shades {
            write(rectangle(start + Double(shade) * 14, y - 9, 13, 10), shade, to: &writer)
        }
        let end = start + Double(ChartPanel.shades) * 14 + 4
        writer.element("text", ["x": SVGText.number(end), "y": SVGText.number(y)], text: high)
    }

    private func rectangle(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> String {
        "M\(SVGText.number(x)) \(SVGText.number(y))h\(SVGText.number(max(0.5, width)))"
            + "v\(SVGText.number(max(0.5, height)))h-\(SVGText.number(max(0.5, width)))z"
    }

    private func write(_ path: String, _ shade: Int, to writer: inout MarkupWriter) {
        writer.shape(
            "path", ["class": "f0", "style": "fill-opacity:\(Self.opacities[shade])", "d": path])
    }
}
