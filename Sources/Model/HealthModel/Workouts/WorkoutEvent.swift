public import CivilTime
import SampleBatches

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
