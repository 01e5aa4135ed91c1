public import CivilTime
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
