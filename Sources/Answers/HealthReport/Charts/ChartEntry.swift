/// A series of values, drawn in one way.
public struct ChartEntry: Sendable, Equatable {
    /// How an entry is drawn.
    public enum Kind: String, Sendable, CaseIterable {
        /// A line through the values, broken where values are missing.
        case line
        /// A bar from 0 to each value.
        case bar
        /// A dot at each value.
        case point
        /// A bar from the lowest to the highest value.
        case range
        /// A shade for each value, in a row that the entry has for itself.
        case cell
    }

    /// The name in the legend.
    public var title: String
    /// How it is drawn.
    public var kind: Kind
    /// The values, in the order of the horizontal axis.
    public var points: [ChartPoint]
    /// The place of its bars in an order of colours; nil for a colour that only differs from the others.
    var shade: Shade?

    /// A place in an order of colours.
    enum Shade: Sendable, Equatable {
        /// From rest, 0, to the hardest effort, 5.
        case effort(Int)
        /// From deep sleep, 0, over core and REM to sleep of an unknown stage, 3; then awake.
        case sleep(Int)
    }

    /// Values with greater magnitudes have no place on an axis.
    private static let greatest = 1e300

    /// Creates an entry; values that are not finite are left out.
    public init(_ title: String, _ kind: Kind, _ points: [ChartPoint]) {
        self.init(title, kind, points, shade: nil)
    }

    init(_ title: String, _ kind: Kind, _ points: [ChartPoint], shade: Shade?) {
        self.title = title
        self.shade = shade
        self.kind = kind
        self.points = points.filter { max(abs($0.low), abs($0.high), abs($0.value)) < Self.greatest }
    }

    /// The points in runs without gaps: each begins where the previous one ends.
    public var runs: [ArraySlice<ChartPoint>] {
        var runs: [ArraySlice<ChartPoint>] = []
        var first = points.startIndex
        for index in points.indices.dropFirst() where points[index].start > points[index - 1].end {
            runs.append(points[first..<index])
            first = index
        }
        if first < points.endIndex { runs.append(points[first...]) }
        return runs
    }
}

/// A value with the part of the horizontal axis that it stands for, such as a day.
public struct ChartPoint: Sendable, Equatable {
    /// Where the part starts: seconds since 1970, or the number of a category.
    public var start: Double
    /// Where the part ends.
    public var end: Double
    /// The value.
    public var value: Double
    /// The lowest value, for ranges; otherwise the value.
    public var low: Double
    /// The highest value, for ranges; otherwise the value.
    public var high: Double

    /// Creates a point with one value.
    public init(_ start: Double, _ end: Double, _ value: Double) {
        (self.start, self.end) = (start, max(start, end))
        (self.value, low, high) = (value, value, value)
    }

    /// Creates a point with a range of values.
    public init(_ start: Double, _ end: Double, low: Double, high: Double) {
        (self.start, self.end) = (start, max(start, end))
        (self.low, self.high) = (min(low, high), max(low, high))
        value = (low + high) / 2
    }

    /// Creates a point for a category.
    public init(category: Int, _ value: Double) { self.init(Double(category), Double(category + 1), value) }

    /// Where it is drawn: in the middle of its part.
    public var middle: Double { (start + end) / 2 }
}
