import CivilTime

/// The facts about a workout from which its element and its route file are written.
struct Workout {
    let kind: WorkoutKind
    let start: Int
    let end: Int
    let created: Int

    /// The index of its route, if it has one.
    let route: Int?

    let provenance: Provenance

    /// The random source of everything else about it.
    let chance: SplitMix64

    init(_ index: Int, _ context: ExportContext) {
        var chance = context.chance(.workout, index)
        let route = context.amounts.route(ofWorkout: index)
        self.route = route
        kind = chance.pick(from: WorkoutKind.all.filter { route == nil || $0.isOutdoors })
        let slot = context.slot(index, of: context.amounts.workouts)
        let length = min(chance.pick(from: 720...5700), slot.count / 2)
        start = slot.lowerBound + chance.below(slot.count - length)
        end = start + length
        created = context.capped(end + chance.below(30))
        provenance = context.provenance(of: .watch, at: start, from: &chance)
        self.chance = SplitMix64(seed: chance.next())
    }

    var length: Int { end - start }

    /// The distance in kilometres, or in metres for swimming.
    var distance: FixedPoint { FixedPoint(units: length * kind.pace, digits: kind.unit == "m" ? 3 : 6) }

    /// The energy in kilocalories: about nine per minute.
    var energy: FixedPoint { FixedPoint(units: length * 152_397, digits: 6) }

    func part(_ index: Int, of count: Int) -> Range<Int> {
        start + length * index / count..<start + length * (index + 1) / count
    }
}

/// An activity, with its speed in millimetres per second and the quantity that adds up to its distance.
struct WorkoutKind {
    let name: String
    var pace = 0
    var distance: String?
    var unit = "km"
    /// Whether it may have a route.
    var isOutdoors = false

    static let all = [
        WorkoutKind(name: "Running", pace: 2900, distance: "DistanceWalkingRunning", isOutdoors: true),
        WorkoutKind(name: "Walking", pace: 1400, distance: "DistanceWalkingRunning", isOutdoors: true),
        WorkoutKind(name: "Cycling", pace: 6100, distance: "DistanceCycling", isOutdoors: true),
        WorkoutKind(name: "Hiking", pace: 1100, distance: "DistanceWalkingRunning", isOutdoors: true),
        WorkoutKind(name: "Swimming", pace: 700, distance: "DistanceSwimming", unit: "m"),
        WorkoutKind(name: "Yoga"), WorkoutKind(name: "FunctionalStrengthTraining"),
        WorkoutKind(name: "HighIntensityIntervalTraining"),
    ]
}

/// Something that a watch records during a workout: a pause, a segment, a lap.
private struct WorkoutEvent {
    let type: String
    let instant: Int
    var length = 0
    var strokeStyle: String?

    static func all(of workout: Workout, from chance: inout SplitMix64) -> [WorkoutEvent] {
        let segments = chance.pick(from: 0...3)
        var events = (0..<segments).map { index in
            let part = workout.part(index, of: segments)
            let isLap = workout.kind.name == "Swimming"
            return WorkoutEvent(
                type: isLap ? "Lap" : "Segment", instant: part.lowerBound, length: part.count,
                strokeStyle: isLap ? "\(chance.below(6))" : nil)
        }
        if chance.oneIn(3) {
            let pause = workout.part(1, of: 3)
            events.append(WorkoutEvent(type: "Pause", instant: pause.lowerBound))
            events.append(WorkoutEvent(type: "Resume", instant: pause.lowerBound + pause.count / 9))
        }
        return events
    }
}

/// A workout in the form of the export's version.
///
/// Up to iOS 15 the totals are attributes. Since iOS 16 they are statistics; both statistics and events occur in
/// the workout and in its activities, which the declarations do not allow.
extension XMLStream {
    mutating func workout(_ index: Int) {
        let workout = Workout(index, context)
        var chance = workout.chance
        let activities = chance.oneIn(8) ? 3 : 1
        let events = WorkoutEvent.all(of: workout, from: &chance)
        let hasActivities = context.version >= .v12
        let distance = hasActivities || workout.kind.distance == nil ? nil : workout.distance
        let isIndoors = workout.kind.isOutdoors ? "0" : "1"
        let attributes: XMLStream.Attributes = [
            "workoutActivityType": "HKWorkoutActivityType\(workout.kind.name)",
            "duration": minutes(workout.length), "durationUnit": "min",
            "totalDistance": distance, "totalDistanceUnit": distance.map { _ in workout.kind.unit },
            "totalEnergyBurned": hasActivities ? nil : workout.energy,
            "totalEnergyBurnedUnit": hasActivities ? nil : "kcal",
            "origin": workout.provenance, "creationDate": context.time(at: workout.created),
            "startDate": context.time(at: workout.start), "endDate": context.time(at: workout.end),
        ]
        element("Workout", attributes) { element in
            element.metadata("HKIndoorWorkout", isIndoors)
            element.metadata("HKTimeZone", element.context.home.name)
            if element.context.version >= .v8 { element.conditions(of: workout, &chance) }
            element.events(events, within: workout.start..<workout.end)
            guard hasActivities else { return element.route(of: workout) }
            for index in 0..<activities {
                let part = workout.part(index, of: activities)
                let context = element.context
                element.element(
                    "WorkoutActivity",
                    [
                        "uuid": chance.identifier(), "startDate": context.time(at: part.lowerBound),
                        "endDate": context.time(at: part.upperBound),
                        "duration": element.minutes(part.count), "durationUnit": "min",
                    ]
                ) { activity in
                    activity.metadata("HKIndoorWorkout", isIndoors)
                    activity.events(events, within: part)
                    activity.statistics(of: workout, in: part)
                }
            }
            element.statistics(of: workout, in: workout.start..<workout.end)
            element.route(of: workout)
        }
    }

    /// Converts seconds to minutes, with as many digits as Apple writes.
    private func minutes(_ seconds: Int) -> FixedPoint {
        FixedPoint(units: seconds * FixedPoint.powersOfTen[14] / 60, digits: 14)
    }

    private mutating func conditions(of workout: Workout, _ chance: inout SplitMix64) {
        if workout.kind.isOutdoors {
            metadata("HKWeatherTemperature", "\(chance.pick(from: 20...88)) degF")
            metadata("HKWeatherHumidity", "\(chance.pick(from: 20...99) * 100) %")
            metadata("HKElevationAscended", "\(chance.pick(from: 200...42_000)) cm")
        }
        metadata("HKAverageMETs", "\(chance.pick(from: 2...11)).\(chance.below(10)) kcal/hr·kg")
    }

    /// Writes the events that begin within a period.
    private mutating func events(_ events: [WorkoutEvent], within time: Range<Int>) {
        for event in events where time.contains(event.instant) {
            let length = event.length > 0 ? context.since(.v8, minutes(event.length)) : nil
            let attributes: XMLStream.Attributes = [
                "type": "HKWorkoutEventType\(event.type)", "date": context.time(at: event.instant),
                "duration": length, "durationUnit": length.map { _ in "min" },
            ]
            element("WorkoutEvent", attributes) { element in
                guard element.context.version >= .v13, let style = event.strokeStyle else { return }
                element.metadata("HKSwimmingStrokeStyle", style)
            }
        }
    }

    /// Writes the sums and averages of a workout, or of an activity's share of it.
    ///
    /// Version 12 has the unit, although its declaration lacks it.
    private mutating func statistics(of workout: Workout, in time: Range<Int>) {
        let share = Double(time.count) / Double(max(workout.length, 1))
        let basalEnergy = FixedPoint(units: workout.length * 21_903, digits: 6)
        var sums = [
            ("ActiveEnergyBurned", workout.energy, "kcal"), ("BasalEnergyBurned", basalEnergy, "kcal"),
        ]
        if let type = workout.kind.distance { sums.append((type, workout.distance, workout.kind.unit)) }
        let (start, end) = (context.time(at: time.lowerBound), context.time(at: time.upperBound))
        for (type, sum, unit) in sums {
            let part = FixedPoint(units: Int(Double(sum.units) * share), digits: sum.digits)
            element(
                "WorkoutStatistics",
                [
                    "type": "HKQuantityTypeIdentifier\(type)", "startDate": start, "endDate": end,
                    "sum": part,
                    "unit": unit,
                ])
        }
        var chance = workout.chance
        element(
            "WorkoutStatistics",
            [
                "type": "HKQuantityTypeIdentifierHeartRate", "startDate": start, "endDate": end,
                "average": chance.decimal(98_000...142_000, digits: 3), "minimum": chance.pick(from: 62...97),
                "maximum": chance.pick(from: 143...186), "unit": "count/min",
            ])
    }
}
