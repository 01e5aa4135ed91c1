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
    /// Returns the instant at which the unit starts that contains another instant.
    public func start(of unit: CalendarUnit, containing seconds: Int) -> Int {
        let number = dayNumber(of: seconds)
        switch unit {
        case .hour:
            let offset = offset(at: seconds)
            let start = (seconds + offset).flooredQuotient(by: 3600) * 3600 - offset
            guard self.offset(at: start) != offset else { return start }
            // Clocks changed within this hour: it begins with the change.
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

    /// Returns the day on which the week starts that contains a day, both as days since 1970-01-01.
    private func startOfWeek(_ number: Int) -> Int {
        // 1970-01-01 was a Thursday.
        let passed = number + 4 - firstWeekday.rawValue
        return number - (passed - passed.flooredQuotient(by: 7) * 7)
    }

    /// Returns the instant that is some units after another one, at the same time of day.
    ///
    /// A month without such a day gives its last one.
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

    /// Returns the start of the unit that is some units after the one that contains an instant.
    ///
    /// Where clocks skip midnight, a day starts later than those around it.
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
