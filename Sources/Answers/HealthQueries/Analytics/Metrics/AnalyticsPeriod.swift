import ByteText

/// The lengths of the periods that rows are about.
public enum AnalyticsPeriod: String, Sendable, Hashable, CaseIterable, Codable {
    /// A day.
    case day
    /// A week.
    case week
    /// A month.
    case month
    /// A year.
    case year

    /// Returns the first and the last day of the period that contains a day.
    ///
    /// - Parameters:
    ///   - day: The day.
    ///   - firstWeekday: The day on which weeks start.
    func range(containing day: CivilDate, _ firstWeekday: Weekday) -> ClosedRange<CivilDate> {
        let days = Days.utc.startingWeeks(on: firstWeekday)
        let start = days.start(of: unit, containing: days.start(of: day))
        return days.day(of: start)...days.day(of: days.start(of: unit, 1, after: start) - 1)
    }

    private var unit: CalendarUnit {
        switch self {
        case .day: .day
        case .week: .week
        case .month: .month
        case .year: .year
        }
    }
}
