/// A period of the calendar: a number of days, weeks, months or years.
public struct CalendarPeriod: Sendable, Hashable {
    private let months: Int
    private let days: Int

    /// The maximum number of units, longer than the calendar.
    private static let longest = 4_000_000

    /// Creates a period of months and days.
    public init(months: Int, days: Int) {
        self.months = min(max(months, -Self.longest), Self.longest)
        self.days = min(max(days, -Self.longest), Self.longest)
    }

    /// Reads `10d`, `2w`, `18m` or `5y`.
    public init?(parsing text: String) {
        guard let unit = text.last, let count = Int(text.dropLast()), (1...Self.longest).contains(count),
            text.first != "+"
        else { return nil }
        switch unit {
        case "d": (months, days) = (0, count)
        case "w": (months, days) = (0, 7 * count)
        case "m": (months, days) = (count, 0)
        case "y": (months, days) = (12 * count, 0)
        default: return nil
        }
    }

    /// Returns the day this long before another one.
    ///
    /// If the month has no such day, it is the last of the month. It is never before the first day of the calendar.
    public func start(before day: CivilDate) -> CivilDate {
        let earliest = CivilDate(daysSince1970: CivilDate.firstDay)
        let month = day.year * 12 + day.month - 1 - months
        guard month >= 12 else { return earliest }
        guard month / 12 <= 9999 else { return CivilDate(daysSince1970: CivilDate.lastDay) }
        let shifted = stride(from: day.day, to: 0, by: -1).lazy.compactMap {
            CivilDate(year: month / 12, month: month % 12 + 1, day: $0)
        }.first
        return CivilDate(
            daysSince1970: min(
                max((shifted ?? earliest).daysSince1970 - days, CivilDate.firstDay), CivilDate.lastDay))
    }
}

extension CivilDate {
    /// The first day of the year 1.
    fileprivate static let firstDay = -719_162
    /// The last day of the year 9999.
    fileprivate static let lastDay = 2_932_896
}
