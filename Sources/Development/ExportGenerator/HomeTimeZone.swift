import CivilTime

/// The time zone where the person lives: the true local time, which route names and heartbeats show, unlike the
/// dates of the document.
struct HomeTimeZone: Sendable {
    /// The name in the time zone database.
    let name: String

    private let standardOffset: Int
    private let changesClocks: Bool

    /// Creates a zone that matches the offset: Central Europe if possible, otherwise one without summer time.
    init(offsetMinutes: Int) {
        let hours = offsetMinutes / 60
        changesClocks = offsetMinutes == 60 || offsetMinutes == 120
        standardOffset = changesClocks ? 60 : offsetMinutes
        // The signs in these names are reversed: Etc/GMT+5 is five hours west.
        name = changesClocks ? "Europe/Berlin" : "Etc/GMT\(hours > 0 ? "-" : "+")\(abs(hours))"
    }

    /// Returns the local time at an instant.
    ///
    /// Summer time lasts from the last Sunday of March to that of October, changing at 01:00 UTC.
    func time(at instant: Int) -> Timestamp {
        var offset = standardOffset
        let year = Timestamp(seconds: instant, offsetMinutes: 0).day.year
        if changesClocks, let start = Self.change(CivilDate(year: year, month: 3, day: 31)),
            let end = Self.change(CivilDate(year: year, month: 10, day: 31)), (start..<end).contains(instant)
        {
            offset += 60
        }
        return Timestamp(seconds: instant, offsetMinutes: offset)
    }

    /// Returns the instant at which clocks change in a month, given its last day.
    private static func change(_ lastDay: CivilDate?) -> Int? {
        // 1970-01-01 was a Thursday, the fifth day of a week that starts on Sunday.
        lastDay.map { ($0.daysSince1970 - ($0.daysSince1970 + 4) % 7) * secondsPerDay + 3600 }
    }
}

extension Timestamp {
    /// The seconds since midnight, at its offset.
    var secondOfDay: Int {
        let local = seconds + offsetMinutes * 60
        return local - local.flooredQuotient(by: secondsPerDay) * secondsPerDay
    }

    var hour: Int { secondOfDay / 3600 }
    var minute: Int { secondOfDay / 60 % 60 }

    /// The hour on a twelve-hour clock, from 1 to 12.
    var hourOfTwelve: Int { (hour + 11) % 12 + 1 }
}
