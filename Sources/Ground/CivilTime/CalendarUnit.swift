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
