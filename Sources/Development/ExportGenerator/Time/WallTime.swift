/// The local date and time of day at an instant.
struct WallTime {
    let date: CivilDate
    let secondOfDay: Int

    init(_ instant: Int, offsetSeconds: Int = 0) {
        let local = instant + offsetSeconds
        let days = local.floorDivided(by: secondsPerDay)
        date = CivilDate(daysSince1970: days)
        secondOfDay = local - days * secondsPerDay
    }

    var hour: Int { secondOfDay / 3600 }
    var minute: Int { secondOfDay / 60 % 60 }
    var second: Int { secondOfDay % 60 }

    /// The hour on a twelve-hour clock, from 1 to 12.
    var hourOfTwelve: Int { (hour + 11) % 12 + 1 }

    /// Writes `2026-01-15`.
    func appendDate(to text: inout ByteText) {
        text.append(date.year, width: 4)
        text.append(UInt8(ascii: "-"))
        text.append(date.month, width: 2)
        text.append(UInt8(ascii: "-"))
        text.append(date.day, width: 2)
    }

    /// Writes `09:30:00`.
    func appendTime(to text: inout ByteText) {
        text.append(hour, width: 2)
        text.append(UInt8(ascii: ":"))
        text.append(minute, width: 2)
        text.append(UInt8(ascii: ":"))
        text.append(second, width: 2)
    }

    /// Writes `2026-01-15T09:30:00Z`, which is correct only if the offset is 0.
    func appendUniversal(to text: inout ByteText) {
        appendDate(to: &text)
        text.append(UInt8(ascii: "T"))
        appendTime(to: &text)
        text.append(UInt8(ascii: "Z"))
    }
}
