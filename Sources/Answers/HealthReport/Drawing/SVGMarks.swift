/// The marks of a panel: bars, lines, dots and ranges.
struct SVGMarks {
    let frame: SVGFrame
    let scale: ValueScale
    /// Returns the place of a coordinate.
    let x: (Double) -> Double

    private func y(_ value: Double) -> Double {
        frame.bottom - scale.fraction(value) * (frame.bottom - frame.top)
    }

    private func middle(of point: ChartPoint) -> Double {
        max(frame.left, min(frame.right, x(point.middle)))
    }

    /// Writes the entries of a panel.
    ///
    /// - Parameter first: The number of the panel's first entry in the legend.
    func write(_ panel: ChartPanel, first: Int, to writer: inout MarkupWriter) {
        let bars = panel.isStacked ? 1 : max(1, panel.entries.count { $0.kind == .bar && !$0.points.isEmpty })
        var bar = 0
        for layer in panel.layers(first: first) {
            let (entry, bases) = (layer.entry, layer.bases)
            switch entry.kind {
            case .line: write(line: layer, to: &writer)
            case .point, .cell: write(points: entry.points, layer.lineClass, to: &writer)
            case .range:
                let path = rectangles(entry.points) { _, point in
                    (y(point.high), max(1.5, y(point.low) - y(point.high)))
                }
                writer.shape("path", ["class": layer.fillClass, "d": path])
            case .bar:
                let path = rectangles(entry.points, bar, of: bars) { index, point in
                    let base = bases[index]
                    let (low, high) = (min(base, base + point.value), max(base, base + point.value))
                    return (y(high), y(low) - y(high))
                }
                writer.shape("path", ["class": layer.fillClass, "d": path])
                if !panel.isStacked { bar += 1 }
            }
        }
    }

    /// Returns the path of one rectangle for each point.
    private func rectangles(
        _ points: [ChartPoint], _ place: Int = 0, of count: Int = 1,
        _ extent: (Int, ChartPoint) -> (top: Double, height: Double)
    ) -> String {
        var path = ""
        for (index, point) in points.enumerated() {
            // The first and the last month of a period may be in it only in part.
            let (start, end) = (max(x(point.start), frame.left), min(x(point.end), frame.right))
            let width = (end - start) / Double(count)
            // Wide bars have a gap between them; narrow ones must not vanish.
            let gap = width > 3 ? min(width * 0.2, 8) : 0
            let left = start + Double(place) * width + gap / 2
            let (top, height) = extent(index, point)
            guard height > 0, start < end else { continue }
            path += "M\(SVGText.number(left)) \(SVGText.number(top))h\(SVGText.number(max(0.5, width - gap)))"
            path += "v\(SVGText.number(height))h-\(SVGText.number(max(0.5, width - gap)))z"
        }
        return path
    }

    /// Writes the mark of an entry in the legend, as the entry is drawn.
    ///
    /// - Parameter y: The middle of its height.
    static func writeKey(of layer: ChartLayer, x: Double, y: Double, to writer: inout MarkupWriter) {
        let (left, middle) = (SVGText.number(x), SVGText.number(y))
        switch layer.entry.kind {
        case .line:
            writer.shape(
                "path",
                [
                    "class": layer.lineClass, "stroke-dasharray": layer.isDashed ? dashes : "",
                    "d": "M\(left) \(middle)h14",
                ])
        case .point:
            writer.shape(
                "path",
                [
                    "class": layer.lineClass, "style": "stroke-width:5",
                    "d": "M\(SVGText.number(x + 7)) \(middle)h0",
                ])
        case .bar, .range, .cell:
            writer.shape(
                "path", ["class": layer.fillClass, "d": "M\(left) \(SVGText.number(y - 5))h12v10h-12z"])
        }
    }

    private static let dashes = "5 3"

    private func write(line layer: ChartLayer, to writer: inout MarkupWriter) {
        var path = ""
        var single: [ChartPoint] = []
        for run in layer.entry.runs {
            if run.count == 1 {
                single += run
            } else {
                path += SVGText.path(run.map { (middle(of: $0), y($0.value)) })
            }
        }
        if !path.isEmpty {
            writer.shape(
                "path",
                [
                    "class": layer.lineClass, "stroke-dasharray": layer.isDashed ? Self.dashes : "",
                    "d": path,
                ])
        }
        write(points: single, layer.lineClass, to: &writer)
    }

    /// Writes dots, smaller ones where there are many.
    private func write(points: [ChartPoint], _ style: String, to writer: inout MarkupWriter) {
        guard !points.isEmpty else { return }
        // A line without length that has round ends is a dot, and takes less room than a circle.
        var path = ""
        for point in points {
            path += "M\(SVGText.number(middle(of: point))) \(SVGText.number(y(point.value)))h0"
        }
        let size = points.count > 400 ? 3 : points.count > 100 ? 4 : 5
        writer.shape("path", ["class": style, "style": "stroke-width:\(size)", "d": path])
    }
}

extension ChartLayer {
    /// The class of lines and dots.
    fileprivate var lineClass: String { "l s\(number % SVGStyle.colours)" }

    /// The class of areas: that of the shade, or of the number in the legend.
    fileprivate var fillClass: String {
        switch entry.shade {
        case .effort(let step): "z\(step)"
        case .sleep(let step): "n\(step)"
        case nil: "f\(number % SVGStyle.colours)" + (isBackground ? " r" : "")
        }
    }
}
