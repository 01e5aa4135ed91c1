public import ByteText
import SampleBatches

/// A workout: its kind, duration, measurements and route.
public struct Workout: HealthSample {
    /// A special type.
    public static var kind: AnySampleType.Kind? { .other }
    /// The row.
    public let row: SampleRow
    /// Creates a workout from a row.
    @inlinable public init(row: SampleRow) { self.row = row }

    /// The kind of workout; nil if it is unknown, in which case ``activityName`` names it.
    public var activityType: WorkoutActivityType? { activityName.flatMap { WorkoutActivityType(named: $0) } }
    /// The kind of workout as written: `HKWorkoutActivityTypeRunning`.
    public var activityName: String? { row["workoutActivityType"] }

    /// How long it took, without pauses.
    public var duration: Quantity? { quantity("duration", unit: "durationUnit") }

    /// How long it took, in seconds: without pauses if that is stated, otherwise from start to end; nil if neither is known.
    package var durationSeconds: Double? {
        if let stated = duration?.value(in: .second()) { return stated }
        guard let start = startDate, let end = endDate, end.seconds >= start.seconds else { return nil }
        return Double(end.seconds - start.seconds)
    }

    /// The distance covered.
    ///
    /// Exports before iOS 16 state it; in later ones it is the sum of the distance statistics.
    public var totalDistance: Quantity? {
        quantity("totalDistance", unit: "totalDistanceUnit")
            ?? statistics.sum { type in
                type.kind == .quantity && type.shortName.hasPrefix("distance")
            }
    }

    /// The energy burned by moving.
    ///
    /// Exports before iOS 16 state it; in later ones it is in the statistics.
    public var totalEnergyBurned: Quantity? {
        quantity("totalEnergyBurned", unit: "totalEnergyBurnedUnit")
            ?? statistics.sum { $0 == .activeEnergyBurned }
    }

    /// Statistics of the measurements during the workout.
    ///
    /// The same measurements are also in the ``activities``: do not add up both.
    public var statistics: [WorkoutStatistics] {
        row.elements("WorkoutStatistics").compactMap { WorkoutStatistics($0) }
    }

    /// What happened during the workout: pauses, laps, segments.
    public var events: [WorkoutEvent] { row.elements("WorkoutEvent").map { WorkoutEvent($0) } }
    /// The parts of the workout.
    public var activities: [WorkoutActivity] { row.elements("WorkoutActivity").map { WorkoutActivity($0) } }
    /// The routes of the workout.
    public var routes: [WorkoutRoute] { row.elements("WorkoutRoute").map { WorkoutRoute($0) } }

    private func quantity(_ name: String, unit unitName: String) -> Quantity? {
        guard let text = row[name], let unit = row[unitName].flatMap({ try? HealthUnit($0) }) else {
            return nil
        }
        return Quantity(text, unit)
    }

    /// Creates a workout.
    ///
    /// - Parameters:
    ///   - activityType: The kind of workout.
    ///   - start: When it starts.
    ///   - end: When it ends.
    ///   - duration: How long it took without pauses; if nil, the time from start to end.
    ///   - statistics: Statistics of the measurements during the workout.
    ///   - events: What happened during the workout.
    ///   - activities: Its parts.
    ///   - source: The app or device that recorded it.
    ///   - device: The device that measured it.
    ///   - creationDate: When it was recorded.
    ///   - metadata: Its metadata.
    public init(
        _ activityType: WorkoutActivityType, start: Timestamp, end: Timestamp, duration: Quantity? = nil,
        statistics: [WorkoutStatistics] = [], events: [WorkoutEvent] = [], activities: [WorkoutActivity] = [],
        source: Source = Source(name: ""), device: Device? = nil, creationDate: Timestamp? = nil,
        metadata: Metadata = Metadata([])
    ) {
        let origin = SampleOrigin(
            start: start, end: end, source: source, device: device, creationDate: creationDate)
        let length = duration ?? Quantity(Double(end.seconds - start.seconds) / 60, .minute)
        let children =
            events.map(\.element) + activities.map(\.element) + statistics.map(\.element)
        row = SampleRow(
            origin.element(
                "Workout",
                others: [
                    ("workoutActivityType", activityType.name), ("duration", length.numberText),
                    ("durationUnit", length.unit.description),
                ],
                children: metadata.children + children.map { .element($0) }))
    }
}

extension SampleType where Sample == Workout {
    /// Workouts.
    public static var workout: Self { Self(unchecked: .workout) }
}
