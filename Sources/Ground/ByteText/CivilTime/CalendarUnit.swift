/// A unit of the calendar, in a time zone.
public enum CalendarUnit: String, Sendable, CaseIterable, Codable {
    /// An hour by the clock.
    case hour
    /// A day.
    case day
    /// A week.
    case week
    /// A month.
    case month
    /// A year.
    case year
}

extension Days {
    /// Returns the start of the unit that contains an instant.
    public func start(of unit: CalendarUnit, containing seconds: Int) -> Int {
        let number = dayNumber(of: seconds)
        switch unit {
        case .hour:
            let offset = offset(at: seconds)
            let start = (seconds + offset).flooredQuotient(by: 3600) * 3600 - offset
            guard self.offset(at: start) != offset else { return start }
            // If clocks change within this hour, it begins at the change.
            var (low, high) = (start, seconds)
            while low < high {
                let middle = low + (high - low) / 2
                if self.offset(at: middle) == offset { high = middle } else { low = middle + 1 }
            }
            return low
        case .day: return start(ofDay: number)
        case .week: return start(ofDay: startOfWeek(number))
        case .month:
            let day = CivilDate(daysSince1970: number)
            return start(ofDay: number - day.day + 1)
        case .year:
            return start(ofDay: CivilDate.daysSince1970(ofMonth: CivilDate(daysSince1970: number).year * 12))
        }
    }

    /// Returns the first day of the week that contains a day, both as days since 1970-01-01.
    private func startOfWeek(_ number: Int) -> Int {
        // 1970-01-01 was a Thursday.
        let passed = number + 4 - firstWeekday.rawValue
        return number - (passed - passed.flooredQuotient(by: 7) * 7)
    }

    /// Returns the instant that is a number of units after another one, at the same time of day.
    ///
    /// If the month has no such day, its last day is used.
    public func instant(_ count: Int, _ unit: CalendarUnit, after seconds: Int) -> Int {
        guard unit != .hour else { return seconds + count * 3600 }
        let number = dayNumber(of: seconds)
        let time = seconds + offset(at: seconds) - number * 86400
        let day: Int
        switch unit {
        case .hour, .day: day = number + count
        case .week: day = number + 7 * count
        case .month: day = Self.day(number, plusMonths: count)
        case .year: day = Self.day(number, plusMonths: 12 * count)
        }
        return instant(ofLocal: day * 86400 + time)
    }

    /// Returns the start of the unit that is a number of units after the one that contains an instant.
    ///
    /// On a day whose midnight clocks skip, the start is later than usual.
    public func start(of unit: CalendarUnit, _ count: Int, after seconds: Int) -> Int {
        start(of: unit, containing: instant(count, unit, after: start(of: unit, containing: seconds)))
    }

    private static func day(_ number: Int, plusMonths count: Int) -> Int {
        let day = CivilDate(daysSince1970: number)
        let month = day.year * 12 + day.month - 1 + count
        let first = CivilDate.daysSince1970(ofMonth: month)
        let length = CivilDate.daysSince1970(ofMonth: month + 1) - first
        return first + min(day.day, length) - 1
    }
}

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

    /// The period as ``init(parsing:)`` reads it, in months or days: `18m`, `10d`.
    ///
    /// A period that has both is not read, and has no such text.
    public var text: String { months == 0 ? "\(days)d" : "\(months)m" }

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
