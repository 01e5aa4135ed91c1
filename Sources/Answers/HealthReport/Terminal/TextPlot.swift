/// The marks of a panel, drawn in characters.
struct TextPlot {
    var canvas: TextCanvas
    let axis: ChartAxis
    let scale: ValueScale

    /// Draws the entries of a panel.
    ///
    /// - Parameter first: The number of the panel's first entry in the legend.
    mutating func draw(_ panel: ChartPanel, first: Int) {
        let layers = panel.layers(first: first)
        let bars = layers.filter { $0.entry.kind == .bar }
        // Of stacked bars, the highest are drawn first, because a block fills a character from below.
        for layer in panel.isStacked ? bars.reversed() : bars {
            draw(bars: layer.entry.points, bases: layer.bases, colour: layer.number)
        }
        for layer in layers {
            let (number, entry) = (layer.number, layer.entry)
            switch entry.kind {
            case .bar: break
            case .line:
                for run in entry.runs { draw(line: run, colour: number) }
            case .point, .cell:
                for point in entry.points { draw(line: [point], colour: number) }
            case .range:
                for point in entry.points {
                    let first = column(point.start)
                    for x in first..<max(first + 1, column(point.end)) {
                        for y in row(point.high)...row(point.low) {
                            canvas.dot(x, y, colour: number, mark: "|")
                        }
                    }
                }
            }
        }
    }

    private func column(_ position: Double) -> Int {
        min(canvas.dotColumns - 1, max(0, Int(axis.fraction(position) * Double(canvas.dotColumns))))
    }

    private func row(_ value: Double) -> Int {
        Int(((1 - scale.fraction(value)) * Double(canvas.dotRows - 1)).rounded())
    }

    private mutating func draw(line points: ArraySlice<ChartPoint>, colour: Int) {
        var last: (x: Int, y: Int)?
        for point in points {
            let place = (x: column(point.middle), y: row(point.value))
            canvas.line(from: last ?? place, to: place, colour: colour)
            last = place
        }
    }

    /// Draws bars; where a column stands for several, its height is their mean.
    private mutating func draw(bars points: [ChartPoint], bases: [Double], colour: Int) {
        var sums = Array(repeating: (low: 0.0, high: 0.0, count: 0), count: canvas.columns)
        func add(_ index: Int, in columns: Range<Int>) {
            let ends = [bases[index], bases[index] + points[index].value].map { scale.fraction($0) }
            for column in columns.clamped(to: 0..<canvas.columns) {
                sums[column].low += min(ends[0], ends[1])
                sums[column].high += max(ends[0], ends[1])
                sums[column].count += 1
            }
        }
        for index in points.indices {
            let start = Int((axis.fraction(points[index].start) * Double(canvas.columns)).rounded())
            let end = Int((axis.fraction(points[index].end) * Double(canvas.columns)).rounded())
            if end - start > 1 {
                // A column between wide bars stays empty.
                add(index, in: start..<(end - start > 2 ? end - 1 : end))
            } else {
                let middle = Int(axis.fraction(points[index].middle) * Double(canvas.columns))
                add(index, in: middle..<(middle + 1))
            }
        }
        for (column, sum) in sums.enumerated() where sum.count > 0 {
            let count = Double(sum.count)
            canvas.bar(column: column, from: sum.low / count, to: sum.high / count, colour: colour)
        }
    }

    /// Returns a note if there are more bars than columns.
    static func note(_ chart: Chart, columns: Int) -> String? {
        let bars = chart.panels.flatMap(\.entries).filter { $0.kind == .bar }
        let domain = chart.axis.domain
        guard let width = bars.flatMap(\.points).lazy.map({ $0.end - $0.start }).min(), width > 0 else {
            return nil
        }
        let most = (domain.upperBound - domain.lowerBound) / width
        return most > Double(columns) ? "a column is the mean of several bars" : nil
    }
}
