/// A chart, independent of how it is drawn: as SVG, on a terminal or in a report.
///
/// ```swift
/// let result = try await store.statistics(StatisticsQuery(.stepCount, by: .calendar(.month)))
/// let chart = StatisticsChart.chart([result])
/// let drawing = SVGDrawing(chart).document
/// ```
public struct Chart: Sendable, Equatable {
    /// What is to be seen.
    public var title: String
    /// What was counted: number of samples, sources, the rule for several sources, coverage.
    public var caption: String
    /// The horizontal axis, which all panels share.
    public var axis: ChartAxis
    /// The panels, one above the other; each has its own unit and vertical axis.
    public var panels: [ChartPanel]

    /// Creates a chart.
    public init(title: String, caption: String = "", axis: ChartAxis, panels: [ChartPanel]) {
        self.title = title
        self.caption = caption
        self.axis = axis
        self.panels = panels
        guard case .time(let range, _) = axis else { return }
        // What lies before the axis has no place on it.
        for panel in panels.indices {
            for entry in panels[panel].entries.indices {
                self.panels[panel].entries[entry].points.removeAll { $0.end <= Double(range.lowerBound) }
            }
        }
    }

    /// Whether there is nothing to draw.
    public var isEmpty: Bool { panels.allSatisfy(\.isEmpty) }

    /// The text that is shown instead of marks if the chart is empty.
    public static let emptyText = "No data"

    /// The entries with points, in the order of the legend.
    var legend: [ChartLayer] {
        var legend: [ChartLayer] = []
        // The rows of a map have their names beside them.
        for panel in panels where !panel.isMap { legend += panel.layers(first: legend.count) }
        return legend
    }
}

/// Entries that share a vertical axis.
public struct ChartPanel: Sendable, Equatable {
    /// The unit of the values, as shown; empty for plain numbers.
    public var unit: String
    /// How values are written.
    public var format: ChartNumber.Format
    /// The entries, drawn in this order.
    public var entries: [ChartEntry]
    /// Whether bars of different entries are put on top of each other.
    public var isStacked: Bool

    /// Creates a panel.
    public init(
        unit: String = "", format: ChartNumber.Format = .number, entries: [ChartEntry],
        isStacked: Bool = false
    ) {
        self.unit = unit
        self.format = format
        self.entries = entries
        self.isStacked = isStacked
    }

    /// Whether no entry has a point.
    public var isEmpty: Bool { entries.allSatisfy(\.points.isEmpty) }

    /// Whether it is a map: rows of shades, one for each entry.
    var isMap: Bool { !entries.isEmpty && entries.allSatisfy { $0.kind == .cell } }
    /// Number of entries in the legend.
    var legendCount: Int { isMap ? 0 : entries.count { !$0.points.isEmpty } }

    /// Number of shades in a map.
    static let shades = 5

    /// Returns the number of a value's shade in a map, 0 for the lightest.
    func shade(_ value: Double) -> Int {
        guard let values, values.lowerBound < values.upperBound else { return Self.shades - 1 }
        let fraction = (value - values.lowerBound) / (values.upperBound - values.lowerBound)
        return max(0, min(Self.shades - 1, Int(fraction * Double(Self.shades))))
    }

    /// The lowest and the highest value in words, with the unit.
    var extremes: [String] {
        guard let values else { return [] }
        return [
            ChartNumber.text(values.lowerBound, format),
            ChartNumber.text(values.upperBound, format) + (unit.isEmpty ? "" : " \(unit)"),
        ]
    }

    /// The range of all values, with 0 if there are bars; nil if there are no values.
    public var values: ClosedRange<Double>? {
        var (low, high) = (Double.infinity, -Double.infinity)
        func include(_ value: Double) {
            guard value.isFinite else { return }
            (low, high) = (min(low, value), max(high, value))
        }
        var stacks: [Double: Double] = [:]
        for entry in entries {
            for point in entry.points {
                include(point.low)
                include(point.high)
                guard entry.kind == .bar else { continue }
                include(0)
                if isStacked, point.value.isFinite {
                    stacks[point.start, default: 0] += point.value
                    include(stacks[point.start] ?? 0)
                }
            }
        }
        return low <= high ? low...high : nil
    }

    /// The scale of the vertical axis, whose domain contains all values; only bars need one that contains 0.
    ///
    /// - Parameter most: The maximum number of intervals between ticks.
    public func scale(most: Int) -> ValueScale {
        let isFitted = entries.allSatisfy { $0.kind != .bar }
        return ValueScale(
            covering: values ?? 0...1, most: isFitted ? most + 1 : most, steps: format.steps,
            isFitted: isFitted)
    }

    /// Returns the entries as they are drawn.
    ///
    /// - Parameter first: The number of the first entry.
    func layers(first: Int) -> [ChartLayer] {
        var (number, lines) = (first, 0)
        var stacks: [Double: Double] = [:]
        return entries.filter { !$0.points.isEmpty }.map { entry in
            var layer = ChartLayer(number: number, entry: entry)
            number += 1
            if entry.kind == .line {
                layer.isDashed = lines % 2 == 1
                lines += 1
            }
            layer.isBackground = entry.kind == .range && entries.count > 1
            guard isStacked, entry.kind == .bar else { return layer }
            layer.bases = entry.points.map { point in
                defer { stacks[point.start, default: 0] += point.value }
                return stacks[point.start] ?? 0
            }
            return layer
        }
    }
}

/// An entry as it is drawn, and as the legend shows it.
struct ChartLayer: Sendable {
    /// The number in the legend.
    let number: Int
    let entry: ChartEntry
    /// How far each bar is raised by others.
    var bases: [Double]
    /// Whether it is a dashed line: lines differ by more than their colours.
    var isDashed = false
    /// Whether it is a range behind a line.
    var isBackground = false

    init(number: Int, entry: ChartEntry) {
        self.number = number
        self.entry = entry
        bases = entry.points.map { _ in 0 }
    }
}
