import CivilTime
import Testing

@Suite("Where a time begins or ends")
struct TimeLimitTests {
    @Test("a day is meant as a whole, at some offset")
    func days() throws {
        let limit = try #require(TimeLimit(parsing: "2023-05-01"))
        // 2023-05-01T00:00:00Z
        let midnight = 1_682_899_200
        for offset in [0, 60, -420, 345] {
            #expect(limit.firstSecond(offsetMinutes: offset) == midnight - offset * 60)
            #expect(limit.lastSecond(offsetMinutes: offset) == midnight + 86399 - offset * 60)
        }
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
        #expect(limit.firstSecond(offsetMinutes: 60) == 1_682_899_200)
        #expect(limit.lastSecond(offsetMinutes: 60) == 1_682_899_200)
    }

    @Test(
        "and anything else is none",
        arguments: [
            "", "yesterday", "2023", "2023-05", "2023-02-29", "2023-13-01", "23-05-01", "2023-05-01T",
            "2023-05-01Z",
            "2023-05-01T10:00:00", "2023-05-01T10:00Z", "2023-05-01T24:00:00Z", "2023-05-01T10:00:00.Z",
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
