public import ByteText

/// The instants at which something is due.
///
/// A time that clocks skip is due at the first instant after the gap; one that they show twice is due the first time.
public struct DueTimes: Sendable, Equatable {
    /// The days.
    public var recurrence: Recurrence
    /// The time on these days.
    public var time: TimeOfDay

    /// Creates the due times of a recurrence.
    public init(_ recurrence: Recurrence, at time: TimeOfDay) {
        self.recurrence = recurrence
        self.time = time
    }

    /// Reads a recurrence and a time, as `sunday 02:00`; nil for any other text.
    public init?(parsing text: String) {
        let words = text.split(separator: " ")
        guard words.count == 2, let recurrence = Recurrence(parsing: String(words[0])),
            let time = TimeOfDay(parsing: String(words[1]))
        else { return nil }
        self.init(recurrence, at: time)
    }

    /// The maximum number of days between two due times, plus one for the zone.
    private static let longest = 33

    /// Returns the latest due instant that is not in the future.
    ///
    /// - Parameters:
    ///   - now: The current time, in seconds since 1970.
    ///   - days: The local zone.
    public func lastDue(at now: Int, in days: Days) -> Int {
        let today = days.dayNumber(of: now)
        for number in (today - Self.longest...today + 1).reversed() {
            if let due = instant(number, days), due <= now { return due }
        }
        return .min
    }

    /// Returns the first due instant in the future.
    ///
    /// - Parameters:
    ///   - now: The current time, in seconds since 1970.
    ///   - days: The local zone.
    public func nextDue(after now: Int, in days: Days) -> Int {
        let today = days.dayNumber(of: now)
        for number in today - 1...today + Self.longest {
            if let due = instant(number, days), due > now { return due }
        }
        return .max
    }

    /// Returns the due instant of a day; nil if nothing is due on it.
    private func instant(_ number: Int, _ days: Days) -> Int? {
        guard recurrence.contains(CivilDate(daysSince1970: number)) else { return nil }
        return days.instant(ofLocal: number * 86400 + time.hour * 3600 + time.minute * 60)
    }
}
