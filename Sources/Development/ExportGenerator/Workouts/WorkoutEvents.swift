/// The events that a watch records during a workout: pauses, segments, laps.
struct WorkoutEvents {
    private struct Event {
        let type: String
        let instant: Int
        let length: Int
        let metadata: (key: String, value: String)?
    }

    private let events: [Event]
    private let context: ExportContext

    init(_ workout: Workout, _ context: ExportContext, from chance: inout SplitMix64) {
        self.context = context
        var events: [Event] = []
        let segments = chance.pick(from: 0...3)
        for index in 0..<segments {
            let part = workout.part(index, of: segments)
            let isLap = workout.kind == .swimming
            events.append(
                Event(
                    type: isLap ? "Lap" : "Segment", instant: part.lowerBound, length: part.count,
                    metadata: isLap ? ("HKSwimmingStrokeStyle", "\(chance.below(6))") : nil))
        }
        if chance.oneIn(3) {
            let pause = workout.part(1, of: 3)
            events.append(Event(type: "Pause", instant: pause.lowerBound, length: 0, metadata: nil))
            events.append(
                Event(type: "Resume", instant: pause.lowerBound + pause.count / 9, length: 0, metadata: nil))
        }
        self.events = events
    }

    /// Writes the events that begin within a period.
    func append(within time: Range<Int>, to parent: inout XMLStream) {
        for event in events where time.contains(event.instant) {
            parent.element("WorkoutEvent") { element in
                element.attribute("type", "HKWorkoutEventType\(event.type)")
                element.attribute("date", event.instant, context.clock)
                guard context.version >= .v8 else { return }
                if event.length > 0 {
                    element.attribute("duration", Workout.minutes(event.length))
                    element.attribute("durationUnit", "min")
                }
                guard context.version >= .v13, let metadata = event.metadata else { return }
                element.metadata(metadata.key, metadata.value)
            }
        }
    }
}
