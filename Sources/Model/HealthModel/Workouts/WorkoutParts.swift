public import ByteText
import SampleBatches

/// A part of a workout, such as the run of a triathlon.
public struct WorkoutActivity: Sendable, Equatable {
    /// Its identifier.
    public let uuid: String?
    /// When it starts.
    public let startDate: Timestamp?
    /// When it ends.
    public let endDate: Timestamp?
    /// How long it took, without pauses.
    public let duration: Quantity?
    /// Statistics of the measurements during it.
    public let statistics: [WorkoutStatistics]
    /// What happened during it.
    public let events: [WorkoutEvent]
    /// Its metadata.
    public let metadata: Metadata

    /// Creates a part of a workout.
    public init(
        uuid: String? = nil, startDate: Timestamp, endDate: Timestamp, duration: Quantity? = nil,
        statistics: [WorkoutStatistics] = [], events: [WorkoutEvent] = [], metadata: Metadata = Metadata([])
    ) {
        self.uuid = uuid
        self.startDate = startDate
        self.endDate = endDate
        self.duration = duration
        self.statistics = statistics
        self.events = events
        self.metadata = metadata
    }

    init(_ element: ElementNode) {
        uuid = element["uuid"]
        startDate = element.time("startDate")
        endDate = element.time("endDate")
        duration = element.quantity("duration", unit: "durationUnit")
        statistics = element.elements("WorkoutStatistics").compactMap { WorkoutStatistics($0) }
        events = element.elements("WorkoutEvent").map { WorkoutEvent($0) }
        metadata = Metadata(content: element.children)
    }

    /// The activity as an element.
    var element: ElementNode {
        var element = ElementNode(name: "WorkoutActivity")
        element.add("uuid", uuid)
        element.add("startDate", startDate?.apple)
        element.add("endDate", endDate?.apple)
        element.add("duration", duration, unit: "durationUnit")
        element.children =
            (events.map(\.element) + statistics.map(\.element)).map { .element($0) } + metadata.children
        return element
    }
}

/// What happened during a workout: a pause, a lap, a segment.
public struct WorkoutEvent: Sendable, Equatable {
    /// What happened; nil if it is unknown, in which case ``name`` names it.
    public var type: WorkoutEventType? { WorkoutEventType(named: name) }
    /// What happened, as written: `HKWorkoutEventTypePause`.
    public let name: String
    /// When it happened.
    public let date: Timestamp?
    /// How long it took.
    public let duration: Quantity?
    /// Its metadata.
    public let metadata: Metadata

    /// Creates an event.
    public init(
        _ type: WorkoutEventType, date: Timestamp, duration: Quantity? = nil,
        metadata: Metadata = Metadata([])
    ) {
        name = type.name
        self.date = date
        self.duration = duration
        self.metadata = metadata
    }

    init(_ element: ElementNode) {
        name = element["type"] ?? ""
        date = element.time("date")
        duration = element.quantity("duration", unit: "durationUnit")
        metadata = Metadata(content: element.children)
    }

    /// The event as an element.
    var element: ElementNode {
        var element = ElementNode(name: "WorkoutEvent")
        element.add("type", name)
        element.add("date", date?.apple)
        element.add("duration", duration, unit: "durationUnit")
        element.children = metadata.children
        return element
    }
}

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
