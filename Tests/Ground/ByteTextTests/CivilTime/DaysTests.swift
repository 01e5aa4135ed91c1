import ByteText
import SystemIO
import Testing

@Suite("Days in a time zone")
struct DaysTests {
    private static let zones = [
        "Europe/Berlin", "America/New_York", "Asia/Kathmandu", "Australia/Lord_Howe", "America/Sao_Paulo",
        "Pacific/Apia", "Asia/Beirut", "UTC",
    ]

    private func days(_ zone: String) throws -> Days {
        let bytes = try #require(try ZoneFiles.bytes(ofZone: zone))
        let rules = ZoneRules(tzif: bytes.span)
        return Days(zone: zone, rules: try #require(rules))
    }

    @Test("start at the first second that is theirs", arguments: zones)
    func starts(zone: String) throws {
        let days = try days(zone)
        // From 1970 to 2037, and from 2008 to 2026 each day.
        let most = stride(from: 0, to: 24_837, by: 5)
        for number in Array(most) + Array(13_879..<20_454) {
            let start = days.start(ofDay: number)
            let day = days.dayNumber(of: start)
            // Apia has had no 30 December 2011.
            #expect(day == number || zone == "Pacific/Apia" && number == 15_338 && day == number + 1)
            #expect(days.dayNumber(of: start - 1) < number, "\(number)")
            #expect(days.start(ofDay: number + 1) >= start)
        }
    }

    @Test("have 23, 24 or 25 hours, and none where a zone skipped the day")
    func lengths() throws {
        func hours(_ zone: String, _ day: CivilDate) throws -> Double {
            let days = try days(zone)
            let number = day.daysSince1970
            return Double(days.start(ofDay: number + 1) - days.start(ofDay: number)) / 3600
        }
        #expect(try hours("Europe/Berlin", "2024-03-31") == 23)
        #expect(try hours("Europe/Berlin", "2024-10-27") == 25)
        #expect(try hours("Europe/Berlin", "2024-06-01") == 24)
        #expect(try hours("Australia/Lord_Howe", "2024-10-06") == 23.5)
        // Clocks skipped midnight.
        #expect(try hours("America/Sao_Paulo", "2018-11-04") == 23)
        #expect(try hours("Asia/Beirut", "2024-03-31") == 23)
        #expect(try hours("Pacific/Apia", "2011-12-30") == 0)
    }

    @Test("are those of Python's zoneinfo around midnight")
    func midnight() throws {
        let berlin = try days("Europe/Berlin")
        #expect(berlin.start(of: "2024-01-15") == 1_705_273_200)
        #expect(berlin.start(of: "2024-07-15") == 1_720_994_400)
        #expect(
            berlin.day(of: 1_705_273_199) == "2024-01-14" && berlin.day(of: 1_705_273_200) == "2024-01-15")
        #expect(berlin.timestamp(1_720_994_400).iso == "2024-07-15T00:00:00+02:00")
        #expect(Days(offsetMinutes: -240).start(of: "2024-01-15") == 1_705_291_200)
    }

    @Test("make weeks that start on any day", arguments: Weekday.allCases)
    func weeks(weekday: Weekday) throws {
        let days = try days("Europe/Berlin").startingWeeks(on: weekday)
        for number in 19_000..<19_800 {
            let noon = days.start(ofDay: number) + 43_200
            let start = days.start(of: .week, containing: noon)
            let first = days.dayNumber(of: start)
            #expect(first <= number && number < first + 7)
            // Day 0 was a Thursday.
            #expect((first + 3) % 7 + 1 == weekday.rawValue)
        }
    }

    @Test("make units that adjoin, whatever clocks do", arguments: zones, CalendarUnit.allCases)
    func units(zone: String, unit: CalendarUnit) throws {
        let days = try days(zone)
        // 2023-12-01T12:00:00Z, and two years on.
        var start = days.start(of: unit, containing: 1_701_432_000)
        let end = unit == .hour ? start + 400 * 86400 : start + 800 * 86400
        while start < end {
            let next = days.start(of: unit, 1, after: start)
            #expect(next > start)
            for instant in [start, start + 1, next - 1] {
                #expect(days.start(of: unit, containing: instant) == start, "\(zone) \(unit) \(instant)")
            }
            #expect(days.start(of: unit, containing: next) == next, "\(zone) \(unit) \(next)")
            start = next
        }
    }

    @Test(
        "begin once, where clocks went back across midnight",
        arguments: ["America/St_Johns", "America/Goose_Bay", "America/Moncton", "Antarctica/Casey"])
    func repeatedMidnight(zone: String) throws {
        let days = try days(zone)
        var repeated = 0
        // From 1988 to 2011.
        for number in 6_574..<15_340 {
            let (start, end) = (days.start(ofDay: number), days.start(ofDay: number + 2))
            guard days.offset(at: start) != days.offset(at: end) else { continue }
            for instant in stride(from: start, to: end, by: 300) {
                let day = days.dayNumber(of: instant)
                #expect(days.start(ofDay: day) <= instant && instant < days.start(ofDay: day + 1))
                if (instant + days.offset(at: instant)) / 86400 != day { repeated += 1 }
                for unit in [CalendarUnit.day, .week, .month, .year] {
                    let first = days.start(of: unit, containing: instant)
                    #expect(first <= instant && instant < days.start(of: unit, 1, after: first))
                }
            }
        }
        #expect(repeated > 0)
    }

    @Test("count months by their last days")
    func months() {
        func day(_ count: Int, _ unit: CalendarUnit, after day: CivilDate) -> CivilDate {
            Days.utc.day(of: Days.utc.instant(count, unit, after: Days.utc.start(of: day)))
        }
        #expect(day(1, .month, after: "2024-01-31") == "2024-02-29")
        #expect(day(1, .year, after: "2024-02-29") == "2025-02-28")
        #expect(day(-1, .month, after: "2024-03-31") == "2024-02-29")
        #expect(day(14, .month, after: "2023-12-15") == "2025-02-15")
    }
}
