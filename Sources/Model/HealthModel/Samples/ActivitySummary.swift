public import CivilTime

/// The activity rings of a day.
public struct ActivitySummary: HealthSample {
    /// A special type.
    public static var kind: AnySampleType.Kind? { .other }
    /// The row.
    public let row: SampleRow
    /// Creates a summary from a row.
    @inlinable public init(row: SampleRow) { self.row = row }

    /// The day, independent of any time zone.
    public var day: CivilDate? { row["dateComponents"].flatMap { CivilDate(Array($0.utf8).span) } }
    /// The energy burned by moving.
    public var activeEnergyBurned: Quantity? { energy("activeEnergyBurned") }
    /// The goal for the energy burned.
    public var activeEnergyBurnedGoal: Quantity? { energy("activeEnergyBurnedGoal") }
    /// The minutes of moving, for people who track these instead of energy.
    public var moveTime: Quantity? { minutes("appleMoveTime") ?? minutes("appleMoveMinutes") }
    /// The goal for the minutes of moving.
    public var moveTimeGoal: Quantity? { minutes("appleMoveTimeGoal") ?? minutes("appleMoveMinutesGoal") }
    /// The minutes of exercise.
    public var exerciseTime: Quantity? { minutes("appleExerciseTime") }
    /// The goal for the minutes of exercise.
    public var exerciseTimeGoal: Quantity? { minutes("appleExerciseTimeGoal") }
    /// The hours in which the person stood.
    public var standHours: Quantity? { count("appleStandHours") }
    /// The goal for the stand hours.
    public var standHoursGoal: Quantity? { count("appleStandHoursGoal") }

    private func energy(_ name: String) -> Quantity? {
        guard let unit = row["activeEnergyBurnedUnit"].flatMap({ try? HealthUnit($0) }) else { return nil }
        return row[name].flatMap { Quantity($0, unit) }
    }

    private func minutes(_ name: String) -> Quantity? { row[name].flatMap { Quantity($0, .minute) } }
    private func count(_ name: String) -> Quantity? { row[name].flatMap { Quantity($0, .count) } }
}

extension SampleType where Sample == ActivitySummary {
    /// The rings of each day.
    public static var activitySummary: Self { Self(unchecked: .activitySummary) }
}
