public import ByteText

/// The horizontal axis of a chart.
public enum ChartAxis: Sendable, Equatable {
    /// Time, in seconds since 1970, with ticks by a rule for days.
    case time(Range<Int>, Days)
    /// Categories such as the days of the week, each one unit wide.
    case categories([String])

    /// The lowest and the highest coordinate.
    public var domain: ClosedRange<Double> {
        switch self {
        case .time(let range, _):
            Double(range.lowerBound)...Double(max(range.lowerBound + 1, range.upperBound))
        case .categories(let names): 0...Double(max(1, names.count))
        }
    }

    /// A labelled coordinate.
    public struct Tick: Sendable, Equatable {
        /// The coordinate.
        public let position: Double
        /// The label.
        public let label: String

        /// Creates a tick.
        public init(position: Double, label: String) {
            self.position = position
            self.label = label
        }
    }

    /// Returns the ticks, in ascending order.
    ///
    /// - Parameter most: The maximum number, where no rule for a short time sets it.
    public func ticks(most: Int) -> [Tick] {
        switch self {
        case .time(let range, let days): TimeTicks.ticks(in: range, days, most: most)
        case .categories(let names):
            names.enumerated().map { Tick(position: Double($0.offset) + 0.5, label: $0.element) }
        }
    }

    /// Returns the indices of the ticks whose labels have room: all of them, or one of so many, so that they are as far
    /// apart as each other.
    ///
    /// - Parameters:
    ///   - ticks: The ticks.
    ///   - places: The place of each label.
    ///   - gap: The least room between two labels.
    static func labelled(_ ticks: [Tick], at places: [ClosedRange<Double>], gap: Double) -> [Int] {
        // A day among hours is more than a time, and the first day or month has its year.
        let main = ticks.firstIndex { $0.label.contains(" ") } ?? 0
        var distance = 1
        while distance < ticks.count {
            let shown = Array(stride(from: main % distance, to: ticks.count, by: distance))
            let touching = shown.indices.dropLast().first { index in
                places[shown[index]].upperBound + gap > places[shown[index + 1]].lowerBound
            }
            guard let touching else { return shown }
            // The last label is moved to stay inside.
            if touching == shown.count - 2, shown.count > 2 { return shown.dropLast() }
            distance += distance < 4 ? 1 : distance / 2
        }
        return ticks.isEmpty ? [] : [main]
    }

    /// Returns a coordinate as a fraction of the axis, from 0 to 1 if it is inside.
    public func fraction(_ position: Double) -> Double {
        let domain = domain
        return (position - domain.lowerBound) / (domain.upperBound - domain.lowerBound)
    }

    /// Returns the label of a point in a table: its day, month or year, or its category.
    public func label(_ point: ChartPoint) -> String {
        switch self {
        case .time(_, let days):
            TimeTicks.label(start: Int(point.start), length: Int(point.end - point.start), days)
        case .categories(let names):
            names.indices.contains(Int(point.start)) ? names[Int(point.start)] : ""
        }
    }
}
