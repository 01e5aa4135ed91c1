import CivilTime

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
        let number = day.daysSince1970
        switch self {
        case .day: return day...day
        case .week:
            // 1970-01-01 was a Thursday.
            let passed = ((number + 4 - firstWeekday.rawValue) % 7 + 7) % 7
            return CivilDate(daysSince1970: number - passed)...CivilDate(daysSince1970: number - passed + 6)
        case .month: return Self.months(day.year * 12 + day.month - 1, 1)
        case .year: return Self.months(day.year * 12, 12)
        }
    }

    private static func months(_ first: Int, _ count: Int) -> ClosedRange<CivilDate> {
        CivilDate(
            daysSince1970: CivilDate.daysSince1970(ofMonth: first))...CivilDate(
                daysSince1970: CivilDate.daysSince1970(ofMonth: first + count) - 1)
    }
}
