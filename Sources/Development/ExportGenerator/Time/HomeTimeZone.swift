/// The time zone where the person lives: the true local time, which route names and heartbeats show, unlike the
/// dates of the document.
struct HomeTimeZone: Sendable {
    /// The name in the time zone database.
    let name: String

    private let standardOffset: Int
    private let changesClocks: Bool

    /// Creates a zone that matches the offset: Central Europe if possible, otherwise one without summer time.
    init(offsetSeconds: Int) {
        let hours = offsetSeconds / 3600
        changesClocks = offsetSeconds == 3600 || offsetSeconds == 7200
        standardOffset = changesClocks ? 3600 : offsetSeconds
        // The signs in these names are reversed: Etc/GMT+5 is five hours west.
        name = changesClocks ? "Europe/Berlin" : "Etc/GMT\(hours > 0 ? "-" : "+")\(abs(hours))"
    }

    /// Returns the offset at an instant, in seconds.
    ///
    /// Summer time lasts from the last Sunday of March to that of October, changing at 01:00 UTC.
    func offset(at instant: Int) -> Int {
        guard changesClocks else { return standardOffset }
        let year = WallTime(instant).date.year
        let start = CivilDate.lastSunday(year: year, month: 3).daysSince1970 * secondsPerDay + 3600
        let end = CivilDate.lastSunday(year: year, month: 10).daysSince1970 * secondsPerDay + 3600
        return standardOffset + ((start..<end).contains(instant) ? 3600 : 0)
    }

    func wallTime(at instant: Int) -> WallTime {
        WallTime(instant, offsetSeconds: offset(at: instant))
    }
}
