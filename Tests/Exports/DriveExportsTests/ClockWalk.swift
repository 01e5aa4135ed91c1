import ByteText
import DriveExports

/// The due times in a year, found by looking at the clock every quarter of an hour.
///
/// It uses nothing of a zone but its offset at an instant. Whatever the clock shows for the first time, or
/// has passed over since the last look, is due at that instant.
struct ClockWalk {
    static let step = 900
    /// The first instant of each quarter of an hour, by the local time in seconds since 1970.
    private var instants: [Int: Int] = [:]

    /// Walks from 40 days before a year to 40 days after it.
    ///
    /// All offsets of the zone in this time must be multiples of a quarter of an hour.
    init(_ days: Days, year: CivilDate) {
        let start = year.start.seconds - 40 * 86400
        var shown = start + days.offset(at: start)
        for instant in stride(from: start, to: start + 445 * 86400, by: Self.step) {
            let local = instant + days.offset(at: instant)
            precondition(local % Self.step == 0)
            while shown < local {
                shown += Self.step
                instants[shown] = instant
            }
        }
    }

    /// The due instants, ascending, each once.
    func instants(of due: DueTimes) -> [Int] {
        let time = due.time.hour * 3600 + due.time.minute * 60
        let found = instants.filter { local, _ in
            local % 86400 == time && Self.isDue(due.recurrence, on: local / 86400)
        }
        return Set(found.values).sorted()
    }

    /// 1970-01-01 was a Thursday.
    private static let weekdays: [Weekday] = [
        .thursday, .friday, .saturday, .sunday, .monday, .tuesday, .wednesday,
    ]

    private static func isDue(_ recurrence: Recurrence, on number: Int) -> Bool {
        switch recurrence {
        case .daily: return true
        case .weekly(let weekday): return weekdays[number % 7] == weekday
        case .monthly(let wanted):
            let day = CivilDate(daysSince1970: number).day
            let isLast = CivilDate(daysSince1970: number + 1).day == 1
            return day == wanted || day < wanted && isLast
        }
    }
}
