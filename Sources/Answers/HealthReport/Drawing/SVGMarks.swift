/// The marks of a panel: bars, lines, dots and ranges.
struct SVGMarks {
    let frame: SVGFrame
    let scale: ValueScale
    /// Returns the place of a coordinate.
    let x: (Double) -> Double

    private func y(_ value: Double) -> Double {
        frame.bottom - scale.fraction(value) * (frame.bottom - frame.top)
    }

    /// Writes the entries of a panel.
    ///
    /// - Parameter first: The number of the panel's first entry in the legend.
    func write(_ panel: ChartPanel, first: Int, to writer: inout MarkupWriter) {
        let bars = panel.isStacked ? 1 : max(1, panel.entries.count { $0.kind == .bar && !$0.points.isEmpty })
        var (bar, lines) = (0, 0)
        for (number, entry, bases) in panel.layers(first: first) {
            let colour = number % SVGStyle.colours
            switch entry.kind {
            case .line:
                // Lines differ by more than their colours.
                write(line: entry, colour, isDashed: lines % 2 == 1, to: &writer)
                lines += 1
            case .point, .cell: write(points: entry.points, colour, to: &writer)
            case .range:
                let path = rectangles(entry.points) { _, point in
                    (y(point.high), max(1.5, y(point.low) - y(point.high)))
                }
                // A range is a background for the line in it.
                let isAlone = panel.entries.count == 1
                writer.shape("path", ["class": isAlone ? "f\(colour)" : "f\(colour) r", "d": path])
            case .bar:
                let path = rectangles(entry.points, bar, of: bars) { index, point in
                    let base = bases[index]
                    let (low, high) = (min(base, base + point.value), max(base, base + point.value))
                    return (y(high), y(low) - y(high))
                }
                writer.shape("path", ["class": "f\(colour)", "d": path])
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
            let (start, end) = (x(point.start), x(point.end))
            let width = (end - start) / Double(count)
            // Wide bars have a gap between them; narrow ones must not vanish.
            let gap = width > 3 ? min(width * 0.2, 8) : 0
            let left = start + Double(place) * width + gap / 2
            let (top, height) = extent(index, point)
            guard height > 0 else { continue }
            path += "M\(SVGText.number(left)) \(SVGText.number(top))h\(SVGText.number(max(0.5, width - gap)))"
            path += "v\(SVGText.number(height))h-\(SVGText.number(max(0.5, width - gap)))z"
        }
        return path
    }

    private func write(line entry: ChartEntry, _ colour: Int, isDashed: Bool, to writer: inout MarkupWriter) {
        var path = ""
        var single: [ChartPoint] = []
        for run in entry.runs {
            if run.count == 1 {
                single += run
            } else {
                path += SVGText.path(run.map { (x($0.middle), y($0.value)) })
            }
        }
        if !path.isEmpty {
            writer.shape(
                "path",
                ["class": "l s\(colour)", "stroke-dasharray": isDashed ? "5 3" : "", "d": path])
        }
        write(points: single, colour, to: &writer)
    }

    /// Writes dots, smaller ones where there are many.
    private func write(points: [ChartPoint], _ colour: Int, to writer: inout MarkupWriter) {
        guard !points.isEmpty else { return }
        // A line without length that has round ends is a dot, and takes less room than a circle.
        var path = ""
        for point in points {
            path += "M\(SVGText.number(x(point.middle))) \(SVGText.number(y(point.value)))h0"
        }
        let size = points.count > 400 ? 3 : points.count > 100 ? 4 : 5
        writer.shape("path", ["class": "l s\(colour)", "style": "stroke-width:\(size)", "d": path])
    }
}
