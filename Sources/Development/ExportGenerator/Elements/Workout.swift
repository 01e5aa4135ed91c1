import ByteText

/// The facts about a workout from which its element and its route file are written.
struct Workout {
    /// Activities, with their speeds in millimetres per second and the quantities that add up to their distances; the first
    /// four are outdoors, and may have a route.
    private static let kinds = [
        ("Running", 2900, "DistanceWalkingRunning"), ("Walking", 1400, "DistanceWalkingRunning"),
        ("Cycling", 6100, "DistanceCycling"), ("Hiking", 1100, "DistanceWalkingRunning"),
        ("Swimming", 700, "DistanceSwimming"), ("Yoga", 0, nil), ("FunctionalStrengthTraining", 0, nil),
        ("HighIntensityIntervalTraining", 0, nil),
    ]

    let activity: String
    let pace: Int
    let isOutdoors: Bool
    let time: Range<Int>
    let created: Int

    /// The index of its route, if it has one.
    let route: Int?

    let provenance: Provenance

    /// The distance in kilometres, or in metres for swimming.
    let distance: (type: String, sum: FixedPoint, unit: String)?

    /// The random source of everything else about it.
    let chance: SplitMix64

    init(_ index: Int, _ context: ExportContext) {
        var chance = context.chance(.workout, index)
        route = context.route(ofWorkout: index)
        let kind = chance.below(route == nil ? Self.kinds.count : 4)
        let (activity, pace, type) = Self.kinds[kind]
        (self.activity, self.pace, isOutdoors) = (activity, pace, kind < 4)
        let slot = context.slot(index, of: context.workouts)
        let length = min(chance.pick(from: 720...5700), slot.count / 2)
        let start = slot.lowerBound + chance.below(slot.count - length)
        time = start..<start + length
        created = context.capped(start + length + chance.below(30))
        provenance = context.provenance(of: .watch, at: start, from: &chance)
        let isSwimming = activity == "Swimming"
        distance = type.map {
            ($0, FixedPoint(units: length * pace, digits: isSwimming ? 3 : 6), isSwimming ? "m" : "km")
        }
        self.chance = SplitMix64(seed: chance.next())
    }

    /// The energy in kilocalories: about nine per minute.
    var energy: FixedPoint { FixedPoint(units: time.count * 152_397, digits: 6) }

    func part(_ index: Int, of count: Int) -> Range<Int> {
        time.lowerBound + time.count * index / count..<time.lowerBound + time.count * (index + 1) / count
    }
}

/// Something that a watch records during a workout: a pause, a segment, a lap.
private typealias WorkoutEvent = (type: String, time: Range<Int>, strokeStyle: String?)

/// A workout in the form of the export's version.
///
/// Up to iOS 15 the totals are attributes. Since iOS 16 they are statistics; both statistics and events occur in
/// the workout and in its activities, which the declarations do not allow.
extension XMLStream {
    mutating func workout(_ index: Int) {
        let workout = Workout(index, context)
        var chance = workout.chance
        let parts = chance.oneIn(8) ? 3 : 1
        let activities = context.since(.v12, parts) ?? 0
        let events = Self.events(of: workout, from: &chance)
        let totals = activities == 0 ? workout : nil
        let indoors = workout.isOutdoors ? "0" : "1"
        let attributes: Attributes = [
            "workoutActivityType": "HKWorkoutActivityType\(workout.activity)",
            "duration": minutes(workout.time), "durationUnit": "min",
            "totalDistance": totals?.distance?.sum, "totalDistanceUnit": totals?.distance?.unit,
            "totalEnergyBurned": totals?.energy, "totalEnergyBurnedUnit": totals.map { _ in "kcal" },
            "origin": workout.provenance, "creationDate": context.time(at: workout.created),
            "startDate": context.time(at: workout.time.lowerBound),
            "endDate": context.time(at: workout.time.upperBound),
        ]
        element("Workout", attributes) { element in
            element.metadata("HKIndoorWorkout", indoors)
            element.metadata("HKTimeZone", element.context.home.name)
            if element.context.version >= .v8 {
                if workout.isOutdoors {
                    element.metadata("HKWeatherTemperature", "\(chance.pick(from: 20...88)) degF")
                    element.metadata("HKWeatherHumidity", "\(chance.pick(from: 20...99) * 100) %")
                    element.metadata("HKElevationAscended", "\(chance.pick(from: 200...42_000)) cm")
                }
                let energy = "\(chance.pick(from: 2...11)).\(chance.below(10)) kcal/hr·kg"
                element.metadata("HKAverageMETs", energy)
            }
            element.events(events, within: workout.time)
            for index in 0..<activities {
                let part = workout.part(index, of: activities)
                let attributes: Attributes = [
                    "uuid": chance.identifier(), "startDate": element.context.time(at: part.lowerBound),
                    "endDate": element.context.time(at: part.upperBound),
                    "duration": element.minutes(part), "durationUnit": "min",
                ]
                element.element("WorkoutActivity", attributes) { activity in
                    activity.metadata("HKIndoorWorkout", indoors)
                    activity.events(events, within: part)
                    activity.statistics(of: workout, in: part)
                }
            }
            if activities > 0 { element.statistics(of: workout, in: workout.time) }
            element.route(of: workout)
        }
    }

    /// Converts a time to minutes, with as many digits as Apple writes.
    private func minutes(_ time: Range<Int>) -> FixedPoint {
        FixedPoint(units: time.count * FixedPoint.powersOfTen[14] / 60, digits: 14)
    }

    private static func events(of workout: Workout, from chance: inout SplitMix64) -> [WorkoutEvent] {
        let segments = chance.pick(from: 0...3)
        var events: [WorkoutEvent] = (0..<segments).map { index in
            let isLap = workout.activity == "Swimming"
            let style = isLap ? "\(chance.below(6))" : nil
            return (isLap ? "Lap" : "Segment", workout.part(index, of: segments), style)
        }
        if chance.oneIn(3) {
            let pause = workout.part(1, of: 3)
            let end = pause.lowerBound + pause.count / 9
            events += [("Pause", pause.lowerBound..<pause.lowerBound, nil), ("Resume", end..<end, nil)]
        }
        return events
    }

    /// Writes the events that begin within a period.
    private mutating func events(_ events: [WorkoutEvent], within time: Range<Int>) {
        for event in events where time.contains(event.time.lowerBound) {
            let length = event.time.isEmpty ? nil : context.since(.v8, minutes(event.time))
            let attributes: Attributes = [
                "type": "HKWorkoutEventType\(event.type)", "date": context.time(at: event.time.lowerBound),
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
        let share = Double(time.count) / Double(max(workout.time.count, 1))
        let basalEnergy = FixedPoint(units: workout.time.count * 21_903, digits: 6)
        let energies = [
            ("ActiveEnergyBurned", workout.energy, "kcal"), ("BasalEnergyBurned", basalEnergy, "kcal"),
        ]
        let (start, end) = (context.time(at: time.lowerBound), context.time(at: time.upperBound))
        for (type, sum, unit) in energies + (workout.distance.map { [$0] } ?? []) {
            let part = FixedPoint(units: Int(Double(sum.units) * share), digits: sum.digits)
            let attributes: Attributes = [
                "type": "HKQuantityTypeIdentifier\(type)", "startDate": start, "endDate": end, "sum": part,
                "unit": unit,
            ]
            element("WorkoutStatistics", attributes)
        }
        var chance = workout.chance
        let attributes: Attributes = [
            "type": "HKQuantityTypeIdentifierHeartRate", "startDate": start, "endDate": end,
            "average": chance.decimal(98_000...142_000, digits: 3), "minimum": chance.pick(from: 62...97),
            "maximum": chance.pick(from: 143...186), "unit": "count/min",
        ]
        element("WorkoutStatistics", attributes)
    }
}
