/// Writes a workout in the form of the export's version.
///
/// Up to iOS 15 the totals are attributes. Since iOS 16 they are statistics; both statistics and events occur in
/// the workout and in its activities, which the declarations do not allow.
struct WorkoutElement {
    let workout: Workout
    let context: ExportContext

    init(_ workout: Workout, _ context: ExportContext) {
        self.workout = workout
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
                WorkoutStatistics(workout, context, share: 1).append(
                    workout.start..<workout.end, to: &element)
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
        workout.edition.append(address: workout.address, to: &element.text)
        element.attribute("creationDate", workout.created, context.clock)
        element.attribute("startDate", workout.start, context.clock)
        element.attribute("endDate", workout.end, context.clock)
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
            activity.attribute("startDate", part.lowerBound, context.clock)
            activity.attribute("endDate", part.upperBound, context.clock)
            activity.attribute("duration", Workout.minutes(part.count))
            activity.attribute("durationUnit", "min")
            activity.metadata("HKIndoorWorkout", isOutdoors ? "0" : "1")
            events.append(within: part, to: &activity)
            let share = Double(part.count) / Double(max(workout.length, 1))
            WorkoutStatistics(workout, context, share: share).append(part, to: &activity)
        }
    }
}
