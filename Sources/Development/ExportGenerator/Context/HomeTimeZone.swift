import ByteText

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
        let year = Timestamp(seconds: instant, offsetMinutes: 0).day.year
        let changes = [3, 10].compactMap { CivilDate(year: year, month: $0, day: 31)?.daysSince1970 }.map {
            day in
            // 1970-01-01 was a Thursday, the fifth day of a week that starts on Sunday.
            (day - (day + 4) % 7) * secondsPerDay + 3600
        }
        let isSummer = changesClocks && (changes[0]..<changes[1]).contains(instant)
        return Timestamp(seconds: instant, offsetMinutes: standardOffset + (isSummer ? 60 : 0))
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
