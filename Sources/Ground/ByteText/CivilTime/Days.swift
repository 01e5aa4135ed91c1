/// The rule that assigns instants to days: a time zone, and the day on which weeks start.
///
/// A day of an export is a day in the export's zone, on any computer and in any season. Everything that deals with days
/// uses this rule: selections, tables and statistics.
public struct Days: Sendable, Equatable {
    /// The name of the zone (`Europe/Berlin`), or an offset (`+02:00`).
    public let zone: String
    /// The day on which weeks start.
    public let firstWeekday: Weekday
    private let rules: Rules

    private enum Rules: Sendable, Equatable {
        case offset(Int)
        case zone(ZoneRules)
    }

    /// Creates days at a fixed offset.
    ///
    /// - Parameters:
    ///   - offsetMinutes: Minutes east of UTC.
    ///   - firstWeekday: The day on which weeks start.
    public init(offsetMinutes: Int, firstWeekday: Weekday = .monday) {
        zone = Timestamp(seconds: 0, offsetMinutes: offsetMinutes).offset
        rules = .offset(offsetMinutes * 60)
        self.firstWeekday = firstWeekday
    }

    /// Creates days in a time zone.
    ///
    /// - Parameters:
    ///   - zone: The name of the zone.
    ///   - rules: Its offsets.
    ///   - firstWeekday: The day on which weeks start.
    public init(zone: String, rules: ZoneRules, firstWeekday: Weekday = .monday) {
        self.zone = zone
        self.rules = .zone(rules)
        self.firstWeekday = firstWeekday
    }

    /// Days in UTC.
    public static let utc = Days(offsetMinutes: 0)

    /// Returns the same days with weeks that start on another day.
    public func startingWeeks(on weekday: Weekday) -> Days {
        switch rules {
        case .offset(let seconds): Days(offsetMinutes: seconds / 60, firstWeekday: weekday)
        case .zone(let rules): Days(zone: zone, rules: rules, firstWeekday: weekday)
        }
    }

    /// Returns the offset at an instant, in seconds east of UTC.
    public func offset(at seconds: Int) -> Int {
        switch rules {
        case .offset(let offset): offset
        case .zone(let rules): rules.offset(at: seconds)
        }
    }

    /// Returns a range of instants around one that all have its offset.
    func range(around seconds: Int) -> Range<Int> {
        switch rules {
        case .offset: .min ..< .max
        case .zone(let rules): rules.range(around: seconds)
        }
    }

    /// Returns the day that contains an instant.
    public func day(of seconds: Int) -> CivilDate { CivilDate(daysSince1970: dayNumber(of: seconds)) }

    /// Returns the days from 1970-01-01 to the day that contains an instant.
    ///
    /// A day begins once: if clocks go back across midnight, the time before it that they show again belongs to the new day.
    public func dayNumber(of seconds: Int) -> Int {
        let offset = offset(at: seconds)
        let number = (seconds + offset).flooredQuotient(by: 86400)
        // Clocks go back by no more than a day, so two days later they show no time again.
        guard self.offset(at: max(seconds, .min + 2 * 86400) - 2 * 86400) > offset else { return number }
        return seconds >= start(ofDay: number + 1) ? number + 1 : number
    }

    /// Returns the instant at which a day starts.
    ///
    /// If clocks skip midnight, this is the first instant of the day.
    public func start(of day: CivilDate) -> Int { start(ofDay: day.daysSince1970) }

    /// Returns the start of the day that is this many days after 1970-01-01.
    public func start(ofDay number: Int) -> Int { instant(ofLocal: number * 86400) }

    /// Returns the first instant at which clocks show a time, or a later time if they skip it.
    ///
    /// - Parameter local: The time on the clock, as seconds from 1970-01-01 at midnight.
    public func instant(ofLocal local: Int) -> Int {
        let guess = local - offset(at: local)
        let (before, after) = (guess - 86400, guess + 86400)
        let (first, second) = (offset(at: before), offset(at: after))
        if first == second, offset(at: guess) == first { return guess }
        // If clocks show the time twice, the larger offset belongs to the earlier instant.
        for offset in [max(first, second), min(first, second)]
        where self.offset(at: local - offset) == offset { return local - offset }
        // Clocks skip the time: find the first instant at which they show a later one.
        var (low, high) = (before, after)
        while low < high {
            let middle = low + (high - low) / 2
            if middle + offset(at: middle) >= local { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// Returns an instant with the zone's offset at that time.
    public func timestamp(_ seconds: Int) -> Timestamp {
        Timestamp(seconds: seconds, offsetMinutes: offset(at: seconds).flooredQuotient(by: 60))
    }
}

/// A day of the week, with the numbers of ISO 8601.
public enum Weekday: Int, Sendable, CaseIterable, Codable {
    /// Monday.
    case monday = 1
    /// Tuesday.
    case tuesday
    /// Wednesday.
    case wednesday
    /// Thursday.
    case thursday
    /// Friday.
    case friday
    /// Saturday.
    case saturday
    /// Sunday.
    case sunday

    /// The weekday of a day, given in days since 1970-01-01.
    public init(ofDay number: Int) {
        // 1970-01-01 was a Thursday.
        self = Self.allCases[((number + 3) % 7 + 7) % 7]
    }
}
