public import CivilTime
import SampleBatches

/// Statistics of one quantity during a workout.
public struct WorkoutStatistics: Sendable, Equatable {
    /// The type of the measurements.
    public let type: AnySampleType
    /// When the measurements start.
    public let startDate: Timestamp?
    /// When they end.
    public let endDate: Timestamp?
    /// The sum, for quantities that are added up.
    public let sum: Quantity?
    /// The average, for all other quantities.
    public let average: Quantity?
    /// The minimum value.
    public let minimum: Quantity?
    /// The maximum value.
    public let maximum: Quantity?

    /// Creates statistics.
    public init(
        _ type: SampleType<QuantitySample>, startDate: Timestamp?, endDate: Timestamp?, sum: Quantity? = nil,
        average: Quantity? = nil, minimum: Quantity? = nil, maximum: Quantity? = nil
    ) {
        self.type = type.erased
        self.startDate = startDate
        self.endDate = endDate
        self.sum = sum
        self.average = average
        self.minimum = minimum
        self.maximum = maximum
    }

    /// Reads an element; nil if it does not state the type.
    init?(_ element: ElementNode) {
        guard let identifier = element["type"] else { return nil }
        type = AnySampleType(identifier)
        startDate = element.time("startDate")
        endDate = element.time("endDate")
        sum = element.quantity("sum", unit: "unit")
        average = element.quantity("average", unit: "unit")
        minimum = element.quantity("minimum", unit: "unit")
        maximum = element.quantity("maximum", unit: "unit")
    }

    /// The statistics as an element.
    var element: ElementNode {
        var element = ElementNode(name: "WorkoutStatistics")
        element.add("type", type.identifier)
        element.add("startDate", startDate?.apple)
        element.add("endDate", endDate?.apple)
        let unit = (sum ?? average ?? minimum ?? maximum)?.unit
        func add(_ name: String, _ quantity: Quantity?) {
            element.add(name, unit.flatMap { quantity?.converted(to: $0) }?.numberText)
        }
        add("average", average)
        add("minimum", minimum)
        add("maximum", maximum)
        add("sum", sum)
        element.add("unit", unit?.description)
        return element
    }
}

extension [WorkoutStatistics] {
    /// Returns the sum of some types, in the unit of the first; nil if there are none.
    func sum(where isWanted: (AnySampleType) -> Bool) -> Quantity? {
        let sums = filter { isWanted($0.type) }.compactMap(\.sum)
        guard let first = sums.first else { return nil }
        guard sums.count > 1 else { return first }
        return Quantity(sums.compactMap { $0.value(in: first.unit) }.reduce(0, +), first.unit)
    }
}
