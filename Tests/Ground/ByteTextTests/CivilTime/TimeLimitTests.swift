import ByteText
import Testing

@Suite("Where a time begins or ends")
struct TimeLimitTests {
    @Test("a day is meant as a whole, at some offset")
    func days() throws {
        let limit = try #require(TimeLimit(parsing: "2023-05-01"))
        // 2023-05-01T00:00:00Z
        let midnight = 1_682_899_200
        for offset in [0, 60, -420, 345] {
            let start = midnight - offset * 60
            #expect(limit.seconds(Days(offsetMinutes: offset), now: 0) == start..<start + 86400)
        }
    }

    @Test(
        "a month, a year, a word and a time of day are meant in the zone of the days",
        arguments: [
            ("2023", 1_672_527_600, 365 * 86400), ("2024-02", 1_706_742_000, 29 * 86400),
            ("today", 1_682_895_600, 86400), ("Yesterday", 1_682_809_200, 86400),
            ("2023-05-01T10:30", 1_682_933_400, 60), ("2023-05-01 10:30:07", 1_682_933_407, 1),
        ])
    func people(text: String, start: Int, length: Int) throws {
        let limit = try #require(TimeLimit(parsing: text))
        #expect(limit.seconds(Days(offsetMinutes: 60), now: 1_682_899_200) == start..<start + length)
    }

    @Test(
        "an instant has the forms of RFC 3339",
        arguments: [
            "2023-05-01T02:00:00+02:00", "2023-05-01T00:00:00Z", "2023-05-01t00:00:00z",
            "2023-05-01 00:00:00Z",
            "2023-05-01T00:00:00-00:00", "2023-05-01T00:00:00.999Z", "2023-04-30T17:00:00.0-07:00",
        ])
    func instants(text: String) throws {
        let limit = try #require(TimeLimit(parsing: text))
        #expect(limit.seconds(Days(offsetMinutes: 60), now: 0) == 1_682_899_200..<1_682_899_201)
    }

    @Test(
        "a minute may have an offset, too",
        arguments: ["2023-05-01T02:00+02:00", "2023-05-01T00:00Z", "2023-05-01 00:00-00:00"])
    func minutes(text: String) throws {
        let limit = try #require(TimeLimit(parsing: text))
        #expect(limit.seconds(Days(offsetMinutes: 60), now: 0) == 1_682_899_200..<1_682_899_260)
    }

    @Test(
        "and anything else is none",
        arguments: [
            "", "tomorrow", "202", "2023-5", "2023-13", "0000", "2023-02-29", "2023-13-01", "23-05-01",
            "2023-05-01T",
            "2023-05-01Z",
            "2023-05-01T10", "2023-05-01T24:00", "2023-05-01T24:00Z", "2023-05-01T24:00:00Z",
            "2023-05-01T10:00.5Z", "2023-05-01T10:00+2",
            "2023-05-01T10:00:00.Z",
            "2023-05-01T10:00:00+2", "2023-05-01T10:00:00Z ", "2023-05-0\u{661}", "0000-01-01",
        ])
    func others(text: String) { #expect(TimeLimit(parsing: text) == nil) }

    @Test(
        "so long ago is a day",
        arguments: [
            ("1d", "2024-03-30", "2024-03-29"), ("2w", "2024-03-10", "2024-02-25"),
            ("1m", "2024-03-31", "2024-02-29"),
            ("1m", "2024-01-15", "2023-12-15"), ("18m", "2026-01-15", "2024-07-15"),
            ("1y", "2024-02-29", "2023-02-28"),
            ("9999y", "2024-02-29", "0001-01-01"), ("4000000d", "2024-02-29", "0001-01-01"),
            ("24276m", "2024-01-31", "0001-01-31"),
        ])
    func periods(text: String, end: String, start: String) throws {
        func day(_ text: String) -> CivilDate? {
            let bytes = Array(text.utf8)
            return CivilDate(bytes.span)
        }
        let period = try #require(CalendarPeriod(parsing: text))
        let last = try #require(day(end))
        #expect(period.start(before: last) == day(start))
    }

    @Test(
        "and no other length of time is one",
        arguments: [
            "", "m", "18", "0d", "-1d", "+1d", "1h", "1 m", "1.5m", "4000001d", "99999999999999999999d",
        ])
    func noPeriods(text: String) { #expect(CalendarPeriod(parsing: text) == nil) }
}
