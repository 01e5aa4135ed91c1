/// Writes a workout in the form of the export's version.
///
/// Up to iOS 15 the totals are attributes. Since iOS 16 they are statistics; both statistics and events occur in
/// the workout and in its activities, which the declarations do not allow.
struct WorkoutElement: NumberedElement {
    private let workout: Workout
    private let context: ExportContext

    init(_ index: Int, _ context: ExportContext) {
        workout = Workout(index, context)
        self.context = context
    }

    private var hasActivities: Bool { context.version >= .v12 }

    private var isOutdoors: Bool { WorkoutActivityKind.outdoors.contains(workout.kind) }

    func append(to stream: inout XMLStream) {
        var chance = workout.chance
        let activities = chance.oneIn(8) ? 3 : 1
        let events = WorkoutEvents(workout, context, from: &chance)
        stream.element("Workout") { element in
            appendAttributes(to: &element)
            appendMetadata(&chance, to: &element)
            events.append(within: workout.start..<workout.end, to: &element)
            if hasActivities {
                for index in 0..<activities {
                    let part = workout.part(index, of: activities)
                    appendActivity(part, events, &chance, to: &element)
                }
                WorkoutStatistics(workout, share: 1).append(workout.start..<workout.end, to: &element)
            }
            if let route = workout.route {
                WorkoutRoute(route, workout, context).append(to: &element)
            }
        }
    }

    private func appendAttributes(to element: inout XMLStream) {
        element.attribute("workoutActivityType", workout.kind.identifier)
        element.attribute("duration", Workout.minutes(workout.length))
        element.attribute("durationUnit", "min")
        if !hasActivities {
            if workout.kind.distanceType != nil {
                element.attribute("totalDistance", workout.distance)
                element.attribute("totalDistanceUnit", workout.kind.distanceUnit)
            }
            element.attribute("totalEnergyBurned", workout.energy)
            element.attribute("totalEnergyBurnedUnit", "kcal")
        }
        workout.appendOrigin(to: &element)
    }

    private func appendMetadata(_ chance: inout SplitMix64, to element: inout XMLStream) {
        element.metadata("HKIndoorWorkout", isOutdoors ? "0" : "1")
        element.metadata("HKTimeZone", context.home.name)
        guard context.version >= .v8 else { return }
        if isOutdoors {
            element.metadata("HKWeatherTemperature", "\(chance.pick(from: 20...88)) degF")
            element.metadata("HKWeatherHumidity", "\(chance.pick(from: 20...99) * 100) %")
            element.metadata("HKElevationAscended", "\(chance.pick(from: 200...42_000)) cm")
        }
        element.metadata("HKAverageMETs", "\(chance.pick(from: 2...11)).\(chance.below(10)) kcal/hr·kg")
    }

    private func appendActivity(
        _ part: Range<Int>, _ events: WorkoutEvents, _ chance: inout SplitMix64,
        to element: inout XMLStream
    ) {
        element.element("WorkoutActivity") { activity in
            activity.attribute("uuid", Identifier(from: &chance).text)
            activity.attribute("startDate", at: part.lowerBound)
            activity.attribute("endDate", at: part.upperBound)
            activity.attribute("duration", Workout.minutes(part.count))
            activity.attribute("durationUnit", "min")
            activity.metadata("HKIndoorWorkout", isOutdoors ? "0" : "1")
            events.append(within: part, to: &activity)
            let share = Double(part.count) / Double(max(workout.length, 1))
            WorkoutStatistics(workout, share: share).append(part, to: &activity)
        }
    }
}

/// The sums and averages of a workout, or of an activity's share of it.
///
/// Version 12 has the unit, although its declaration lacks it.
private struct WorkoutStatistics {
    private let workout: Workout
    private let share: Double

    init(_ workout: Workout, share: Double) {
        self.workout = workout
        self.share = share
    }

    func append(_ time: Range<Int>, to parent: inout XMLStream) {
        let basalEnergy = FixedPoint(units: workout.length * 21_903, digits: 6)
        appendSum("HKQuantityTypeIdentifierActiveEnergyBurned", workout.energy, "kcal", time, to: &parent)
        appendSum("HKQuantityTypeIdentifierBasalEnergyBurned", basalEnergy, "kcal", time, to: &parent)
        if let type = workout.kind.distanceType {
            appendSum(type, workout.distance, workout.kind.distanceUnit, time, to: &parent)
        }
        var chance = workout.chance
        element("HKQuantityTypeIdentifierHeartRate", time, to: &parent) { statistics in
            let average = FixedPoint(thousandths: 98_000...142_000, digits: 3, from: &chance)
            statistics.attribute("average", average)
            statistics.attribute("minimum", chance.pick(from: 62...97))
            statistics.attribute("maximum", chance.pick(from: 143...186))
            statistics.attribute("unit", "count/min")
        }
    }

    private func appendSum(
        _ type: String, _ sum: FixedPoint, _ unit: String, _ time: Range<Int>, to parent: inout XMLStream
    ) {
        element(type, time, to: &parent) { statistics in
            let units = Int(Double(sum.units) * share)
            statistics.attribute("sum", FixedPoint(units: units, digits: sum.digits))
            statistics.attribute("unit", unit)
        }
    }

    private func element(
        _ type: String, _ time: Range<Int>, to parent: inout XMLStream, _ content: (inout XMLStream) -> Void
    ) {
        parent.element("WorkoutStatistics") { statistics in
            statistics.attribute("type", type)
            statistics.attribute("startDate", at: time.lowerBound)
            statistics.attribute("endDate", at: time.upperBound)
            content(&statistics)
        }
    }
}

/// The events that a watch records during a workout: pauses, segments, laps.
struct WorkoutEvents {
    private struct Event {
        let type: String
        let instant: Int
        var length = 0
        var metadata: (key: String, value: String)?
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
            events.append(Event(type: "Pause", instant: pause.lowerBound))
            events.append(Event(type: "Resume", instant: pause.lowerBound + pause.count / 9))
        }
        self.events = events
    }

    /// Writes the events that begin within a period.
    func append(within time: Range<Int>, to parent: inout XMLStream) {
        for event in events where time.contains(event.instant) {
            parent.element("WorkoutEvent") { element in
                element.attribute("type", "HKWorkoutEventType\(event.type)")
                element.attribute("date", at: event.instant)
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
