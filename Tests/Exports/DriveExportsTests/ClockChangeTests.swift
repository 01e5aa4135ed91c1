import ByteText
import Testing

@testable import DriveExports

@Suite("Due times around changes of the clock")
struct ClockChangeTests {
    /// Clocks that skip a time or show it twice, and what is due around it.
    static let changes: [(zone: String, due: String, now: String, last: String, next: String)] = [
        // 02:00 to 03:00 is skipped.
        (
            "Europe/Berlin", "day 02:30", "2024-03-31T00:59:59Z", "2024-03-30T01:30:00Z",
            "2024-03-31T01:00:00Z"
        ),
        (
            "Europe/Berlin", "day 02:30", "2024-03-31T12:00:00Z", "2024-03-31T01:00:00Z",
            "2024-04-01T00:30:00Z"
        ),
        (
            "Europe/Berlin", "last 02:00", "2024-03-31T00:59:59Z", "2024-02-29T01:00:00Z",
            "2024-03-31T01:00:00Z"
        ),
        // 02:00 to 03:00 is shown twice; 02:30 for the second time at 01:30Z.
        (
            "Europe/Berlin", "day 02:30", "2024-10-27T00:29:59Z", "2024-10-26T00:30:00Z",
            "2024-10-27T00:30:00Z"
        ),
        (
            "Europe/Berlin", "day 02:30", "2024-10-27T01:30:00Z", "2024-10-27T00:30:00Z",
            "2024-10-28T01:30:00Z"
        ),
        // 02:00 to 02:30 is skipped.
        (
            "Australia/Lord_Howe", "day 02:15", "2024-10-06T00:00:00Z", "2024-10-05T15:30:00Z",
            "2024-10-06T15:15:00Z"
        ),
        // 01:30 to 02:00 is shown twice.
        (
            "Australia/Lord_Howe", "sunday 01:45", "2024-04-06T15:20:00Z", "2024-04-06T14:45:00Z",
            "2024-04-13T15:15:00Z"
        ),
        // 1986 began at 00:15.
        (
            "Asia/Kathmandu", "day 00:00", "1986-01-01T00:00:00Z", "1985-12-31T18:30:00Z",
            "1986-01-01T18:15:00Z"
        ),
        (
            "Asia/Kathmandu", "day 00:05", "1985-12-31T18:30:00Z", "1985-12-31T18:30:00Z",
            "1986-01-01T18:20:00Z"
        ),
        // Midnight to 01:00 is skipped.
        (
            "America/Sao_Paulo", "day 00:00", "2018-11-04T02:59:59Z", "2018-11-03T03:00:00Z",
            "2018-11-04T03:00:00Z"
        ),
        (
            "America/Sao_Paulo", "sunday 00:30", "2018-11-04T03:00:00Z", "2018-11-04T03:00:00Z",
            "2018-11-11T02:30:00Z"
        ),
        // 23:00 to midnight is shown twice.
        (
            "America/Sao_Paulo", "saturday 23:30", "2019-02-17T02:30:00Z", "2019-02-17T01:30:00Z",
            "2019-02-24T02:30:00Z"
        ),
        // 00:00 to 01:00 is shown twice.
        (
            "America/Havana", "day 00:30", "2024-11-03T05:10:00Z", "2024-11-03T04:30:00Z",
            "2024-11-04T05:30:00Z"
        ),
        // Clocks went back to the evening before, one minute after midnight.
        (
            "America/St_Johns", "sunday 00:00", "2010-11-07T03:00:00Z", "2010-11-07T02:30:00Z",
            "2010-11-14T03:30:00Z"
        ),
        // 30 December is skipped.
        (
            "Pacific/Apia", "day 12:00", "2011-12-30T10:00:00Z", "2011-12-30T10:00:00Z",
            "2011-12-30T22:00:00Z"
        ),
        (
            "Pacific/Apia", "day 00:00", "2011-12-30T09:59:59Z", "2011-12-29T10:00:00Z",
            "2011-12-30T10:00:00Z"
        ),
        (
            "Pacific/Apia", "day 00:00", "2011-12-30T10:00:00Z", "2011-12-30T10:00:00Z",
            "2011-12-31T10:00:00Z"
        ),
        (
            "Pacific/Apia", "30 08:00", "2011-12-30T09:59:59Z", "2011-11-30T18:00:00Z",
            "2011-12-30T10:00:00Z"
        ),
        (
            "Pacific/Apia", "friday 08:00", "2012-01-01T00:00:00Z", "2011-12-30T10:00:00Z",
            "2012-01-05T18:00:00Z"
        ),
        // Clocks go back for Ramadan, and forth after it.
        (
            "Africa/Casablanca", "day 02:30", "2024-03-10T02:00:00Z", "2024-03-10T01:30:00Z",
            "2024-03-11T02:30:00Z"
        ),
        (
            "Africa/Casablanca", "day 02:30", "2024-04-14T02:00:00Z", "2024-04-14T02:00:00Z",
            "2024-04-15T01:30:00Z"
        ),
    ]

    @Test("are those of the clock where it changes", arguments: changes)
    func clockChanges(zone: String, due: String, now: String, last: String, next: String) throws {
        let (due, days, now) = (try Self.due(due), try days(in: zone), try instant(now))
        #expect(utc(due.lastDue(at: now, in: days)) == last)
        #expect(utc(due.nextDue(after: now, in: days)) == next)
    }

    @Test(
        "fall on the last day of a month that is too short",
        arguments: [
            ("31", ["01-31", "02-28", "03-31", "04-30", "05-31", "06-30", "07-31"]),
            ("last", ["01-31", "02-28", "03-31", "04-30", "05-31", "06-30", "07-31"]),
            ("30", ["01-30", "02-28", "03-30", "04-30", "05-30", "06-30", "07-30"]),
            ("29", ["01-29", "02-28", "03-29", "04-29", "05-29", "06-29", "07-29"]),
            ("28", ["01-28", "02-28", "03-28", "04-28", "05-28", "06-28", "07-28"]),
            ("1", ["01-01", "02-01", "03-01", "04-01", "05-01", "06-01", "07-01"]),
        ])
    func shortMonths(text: String, expected: [String]) throws {
        let due = try Self.due("\(text) 04:05")
        var (now, found) = (try instant("2022-12-31T12:00:00Z"), [String]())
        for _ in expected {
            now = due.nextDue(after: now, in: .utc)
            found.append(utc(now))
        }
        #expect(found == expected.map { "2023-\($0)T04:05:00Z" })
    }

    @Test("include the leap day", arguments: ["29", "30", "last"])
    func leapDay(text: String) throws {
        let due = try Self.due("\(text) 00:00")
        let found = due.lastDue(at: try instant("2024-03-15T00:00:00Z"), in: .utc)
        #expect(utc(found) == "2024-02-29T00:00:00Z")
    }

    static let years: [(zone: String, year: CivilDate)] = [
        ("UTC", "2024-01-01"), ("Europe/Berlin", "2024-01-01"), ("America/New_York", "2007-01-01"),
        ("Australia/Lord_Howe", "2024-01-01"), ("Asia/Kathmandu", "1986-01-01"),
        ("America/Sao_Paulo", "2018-01-01"), ("Pacific/Apia", "2011-01-01"),
        ("Africa/Casablanca", "2024-01-01"), ("Asia/Beirut", "2024-01-01"),
        ("America/Havana", "2024-01-01"), ("Antarctica/Troll", "2024-01-01"),
        ("Asia/Pyongyang", "2018-01-01"), ("Pacific/Kwajalein", "1993-01-01"),
        ("America/Nuuk", "2023-01-01"), ("Pacific/Chatham", "2030-01-01"),
    ]

    @Test("are those that a look at the clock every 15 minutes finds", arguments: years)
    func walks(zone: String, year: CivilDate) throws {
        let days = try days(in: zone)
        let walk = ClockWalk(days, year: year)
        var random = SplitMix(state: UInt64(year.daysSince1970))
        for due in try Self.recurrences.flatMap({ recurrence in
            try Self.times.map { try Self.due("\(recurrence) \($0)") }
        }) {
            let instants = walk.instants(of: due)
            #expect(instants.count > 12)
            var mistakes: [Int] = []
            for (one, next) in zip(instants, instants.dropFirst()) {
                let between = Int.random(in: one..<next, using: &random)
                for now in [one, between, next - 1]
                where due.lastDue(at: now, in: days) != one || due.nextDue(after: now, in: days) != next {
                    mistakes.append(now)
                }
            }
            #expect(mistakes.map { utc($0) } == [], "\(zone) \(due)")
        }
    }

    @Test(
        "follow each other, at any time and in any zone", arguments: years.map(\.zone) + ["America/St_Johns"])
    func order(zone: String) throws {
        let days = try days(in: zone)
        var random = SplitMix(state: 7)
        for recurrence in Self.recurrences {
            for _ in 0..<200 {
                let (hour, minute) = (
                    Int.random(in: 0...23, using: &random), Int.random(in: 0...59, using: &random)
                )
                let due = try Self.due("\(recurrence) \(hour):\(minute < 10 ? "0" : "")\(minute)")
                // From 1970-07-14 to 2103.
                let now = Int.random(in: (1 << 24)...(1 << 32), using: &random)
                let (last, next) = (due.lastDue(at: now, in: days), due.nextDue(after: now, in: days))
                let isRight =
                    last <= now && now < next && next - last <= 33 * 86400
                    && due.nextDue(after: last, in: days) == next
                    && due.nextDue(after: next - 1, in: days) == next
                    && due.lastDue(at: next, in: days) == next
                    && due.lastDue(at: next - 1, in: days) == last
                    && due.lastDue(at: last, in: days) == last
                #expect(isRight, "\(due) at \(utc(now))")
            }
        }
    }

    private static let recurrences = [
        "day", "sunday", "friday", "saturday", "1", "15",
        "29", "30", "last",
    ]
    private static let times = [
        "00:00", "00:30", "01:45", "02:00", "02:30", "03:00", "12:15", "23:30", "23:45",
    ]

    /// Reads `sunday 02:30`.
    private static func due(_ text: String) throws -> DueTimes {
        let space = try #require(text.lastIndex(of: " "))
        let recurrence = try #require(Recurrence(parsing: String(text[..<space])))
        return DueTimes(
            recurrence, at: try #require(TimeOfDay(parsing: String(text[space...].dropFirst()))))
    }
}

/// The same numbers in every run.
private struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = (state ^ state >> 30) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
        return mixed ^ mixed >> 31
    }
}
