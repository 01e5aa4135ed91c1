import ByteText
import SystemIO
import Testing

@testable import DriveExports

@Suite("Due times")
struct DueTimesTests {
    private static func days(_ zone: String) throws -> Days {
        let bytes = try #require(try ZoneFiles.bytes(ofZone: zone))
        let rules = ZoneRules(tzif: bytes.span)
        return Days(zone: zone, rules: try #require(rules))
    }

    private static func instant(_ text: String) throws -> Int {
        let time = Timestamp(iso: Array(text.utf8).span)
        return try #require(time).seconds
    }

    private static func time(_ text: String) throws -> TimeOfDay { try #require(TimeOfDay(parsing: text)) }

    struct Case: CustomTestStringConvertible {
        let zone: String
        let recurrence: Recurrence
        let time: String
        let now: String
        let last: String
        let next: String
        var testDescription: String { "\(zone) \(recurrence.text) \(time) at \(now)" }
    }

    @Test(
        "across changes of the clock",
        arguments: [
            // Clocks skip 02:30: the first instant behind the gap counts.
            Case(
                zone: "Europe/Berlin", recurrence: .daily, time: "02:30", now: "2026-03-29T12:00:00+02:00",
                last: "2026-03-29T03:00:00+02:00", next: "2026-03-30T02:30:00+02:00"),
            // Clocks show 02:30 twice: the first time counts, and only that.
            Case(
                zone: "Europe/Berlin", recurrence: .daily, time: "02:30", now: "2026-10-25T02:45:00+01:00",
                last: "2026-10-25T02:30:00+02:00", next: "2026-10-26T02:30:00+01:00"),
            Case(
                zone: "Australia/Lord_Howe", recurrence: .daily, time: "02:15",
                now: "2026-10-04T12:00:00+11:00", last: "2026-10-04T02:30:00+11:00",
                next: "2026-10-05T02:15:00+11:00"),
            // Midnight itself was skipped.
            Case(
                zone: "America/Sao_Paulo", recurrence: .weekly(.sunday), time: "00:00",
                now: "2018-11-04T12:00:00-02:00", last: "2018-11-04T01:00:00-02:00",
                next: "2018-11-11T00:00:00-02:00"),
            Case(
                zone: "Asia/Kathmandu", recurrence: .monthly(31), time: "23:59",
                now: "2026-02-28T23:58:59+05:45", last: "2026-01-31T23:59:00+05:45",
                next: "2026-02-28T23:59:00+05:45"),
            // The instant itself is not in the future.
            Case(
                zone: "UTC", recurrence: .weekly(.sunday), time: "02:00", now: "2026-11-22T02:00:00+00:00",
                last: "2026-11-22T02:00:00+00:00", next: "2026-11-29T02:00:00+00:00"),
            // Before the hour, on the day itself, the last one was a week ago.
            Case(
                zone: "UTC", recurrence: .weekly(.sunday), time: "02:00", now: "2026-11-22T01:59:59+00:00",
                last: "2026-11-15T02:00:00+00:00", next: "2026-11-22T02:00:00+00:00"),
            Case(
                zone: "UTC", recurrence: .monthly(30), time: "00:00", now: "2024-03-01T00:00:00+00:00",
                last: "2024-02-29T00:00:00+00:00", next: "2024-03-30T00:00:00+00:00"),
        ])
    func changes(_ one: Case) throws {
        let days = try Self.days(one.zone)
        let due = DueTimes(one.recurrence, at: try Self.time(one.time))
        let now = try Self.instant(one.now)
        #expect(due.lastDue(at: now, in: days) == (try Self.instant(one.last)))
        #expect(due.nextDue(after: now, in: days) == (try Self.instant(one.next)))
    }

    @Test(
        "are those of a definition that steps through the time",
        arguments: [
            "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "America/Sao_Paulo",
            "Pacific/Apia", "Africa/Casablanca", "Pacific/Kiritimati",
        ])
    func definition(zone: String) throws {
        let days = try Self.days(zone)
        let step = 900
        // Apia left out a day in these months, and others changed their clocks.
        for (start, length) in [("2011-10-01T00:00:00+00:00", 150), ("2018-09-01T00:00:00+00:00", 220)] {
            let from = try Self.instant(start)
            let firstDay = days.dayNumber(of: from)
            for (recurrence, time) in [
                (Recurrence.daily, "02:30"), (.daily, "00:00"), (.weekly(.sunday), "01:15"),
                (.monthly(30), "23:45"), (.monthly(31), "02:00"),
            ] {
                let due = DueTimes(recurrence, at: try Self.time(time))
                let offset = due.time.hour * 3600 + due.time.minute * 60
                var instants: [Int] = []
                var now = from - 3 * 86400
                for number in firstDay - 2..<firstDay + length + 40
                where recurrence.contains(CivilDate(daysSince1970: number)) {
                    while now + days.offset(at: now) < number * 86400 + offset { now += step }
                    instants.append(now)
                }
                var place = 0
                for now in stride(from: from + 33 * 86400, to: from + length * 86400, by: 4 * step) {
                    while place + 1 < instants.count, instants[place + 1] <= now { place += 1 }
                    let (last, next) = (due.lastDue(at: now, in: days), due.nextDue(after: now, in: days))
                    try #require(last == instants[place], "\(recurrence.text) \(time) at \(now)")
                    try #require(next == instants[place + 1], "\(recurrence.text) \(time) at \(now)")
                }
            }
        }
    }

    @Test("a run is due once for each due time, and not for those before the schedule was set")
    func isDue() throws {
        let due = DueTimes(.weekly(.sunday), at: try Self.time("02:00"))
        let schedule = ExportSchedule(destination: "x", due: due, source: "/", created: 1000)
        var progress = ScheduleProgress(destination: "x")
        #expect(!progress.isDue(schedule, lastDue: 1000, at: 5000))
        #expect(progress.isDue(schedule, lastDue: 1001, at: 5000))
        progress.done = 1001
        #expect(!progress.isDue(schedule, lastDue: 1001, at: 5000))
        #expect(progress.isDue(schedule, lastDue: 1002, at: 5000))
        progress.done = 1000
        #expect(progress.isDue(schedule, lastDue: 1001, at: 5000))
    }

    @Test("times and days are read as they are written, and nothing else is")
    func texts() {
        for text in ["day", "sunday", "1", "30", "last"] {
            #expect(Recurrence(parsing: text)?.text == text)
        }
        #expect(Recurrence(parsing: "SUN")?.text == "sunday")
        for text in ["", "weekly", "x", "0", "32", "01", "day day"] {
            #expect(Recurrence(parsing: text) == nil, "\(text)")
        }
        for hour in 0..<24 {
            for minute in 0..<60 {
                let time = TimeOfDay(hour: hour, minute: minute)
                #expect(time.flatMap { TimeOfDay(parsing: $0.text) } == time)
            }
        }
        for text in ["", "2", "24:00", "12:60", "1:5", "01:005", "-1:00", "12:00:00", "１2:00", "+1:00"] {
            #expect(TimeOfDay(parsing: text) == nil, "\(text)")
        }
    }
}
