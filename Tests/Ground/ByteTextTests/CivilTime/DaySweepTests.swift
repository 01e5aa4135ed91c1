import ByteText
import SystemIO
import Testing

@Suite("Days and local times")
struct DaySweepTests {
    static let zones = [
        "Europe/Berlin", "America/New_York", "America/Sao_Paulo", "Asia/Beirut", "Australia/Lord_Howe",
        "Pacific/Apia", "Asia/Kolkata", "America/Havana",
    ]

    /// Those whose clocks change by whole hours.
    static let wholeHours = zones.filter { $0 != "Australia/Lord_Howe" }

    private func days(_ zone: String) throws -> Days {
        let bytes = try #require(try ZoneFiles.bytes(ofZone: zone))
        let rules = ZoneRules(tzif: bytes.span)
        return Days(zone: zone, rules: try #require(rules))
    }

    private func day(_ text: String) throws -> CivilDate {
        let bytes = Array(text.utf8)
        let day = CivilDate(bytes.span)
        return try #require(day)
    }

    /// The instant of a time in UTC.
    private func instant(_ text: String) throws -> Int {
        let bytes = Array((text + ":00+00:00").utf8)
        let time = Timestamp(iso: bytes.span)
        return try #require(time).seconds
    }

    @Test("a writer that remembers the offset writes what a time by itself does", arguments: zones)
    func writer(zone: String) throws {
        let days = try days(zone)
        var writer = LocalTimeWriter(days)
        var (written, expected): ([UInt8], [UInt8]) = ([], [])
        // Forwards, past the last transition of the file, and backwards.
        let instants = stride(from: -4_000_000_000, to: 5_000_000_000, by: 5_000_011)
        for instant in Array(instants) + instants.reversed() {
            for seconds in [instant, instant + 1800] {
                days.timestamp(seconds).appendISO(to: &expected)
                written.append(addingCapacity: Timestamp.length) { output in
                    writer.appendISO(seconds: seconds, to: &output)
                }
            }
        }
        #expect(written == expected)
    }

    @Test("start when clocks first show them, on every day of 68 years", arguments: zones)
    func everyDay(zone: String) throws {
        let days = try days(zone)
        var wrong: [String] = []
        for number in 0..<24_837 {
            let day = CivilDate(daysSince1970: number)
            let start = days.start(of: day)
            let isRight =
                start == days.start(ofDay: number) && days.day(of: start) == day
                && days.day(of: start + 1) == day && days.dayNumber(of: start - 1) == number - 1
            if !isRight { wrong.append(day.description) }
        }
        // Samoa crossed the date line: there was no 30 December, and the day before the 31st is the 29th.
        #expect(wrong == (zone == "Pacific/Apia" ? ["2011-12-30", "2011-12-31"] : []))
    }

    @Test("start at midnight of their offset", arguments: [-1439, -570, -1, 0, 1, 345, 1439])
    func offsets(minutes: Int) {
        let days = Days(offsetMinutes: minutes)
        for number in stride(from: -800_000, through: 800_000, by: 997) {
            let start = days.start(ofDay: number)
            #expect(start == number * 86400 - minutes * 60)
            #expect(days.dayNumber(of: start) == number && days.dayNumber(of: start - 1) == number - 1)
            #expect(days.dayNumber(of: start + 86399) == number)
        }
        #expect(days.zone == Timestamp(seconds: 0, offsetMinutes: minutes).offset)
        #expect(days.offset(at: 0) == minutes * 60 && days.timestamp(7).offsetMinutes == minutes)
    }

    @Test(
        "start later where clocks skip midnight",
        arguments: [
            ("America/Sao_Paulo", "2018-11-04", "2018-11-04T03:00"),
            ("Asia/Beirut", "2022-03-27", "2022-03-26T22:00"),
            ("Pacific/Apia", "2010-09-26", "2010-09-26T11:00"),
            ("Pacific/Apia", "2011-12-30", "2011-12-30T10:00"),
        ])
    func skippedMidnight(zone: String, text: String, start: String) throws {
        let days = try days(zone)
        let found = days.start(of: try day(text))
        #expect(try found == instant(start))
        // A second before, clocks showed the last second of another day.
        #expect((found - 1 + days.offset(at: found - 1) + 1) % 86400 == 0)
        #expect(try days.day(of: found - 1) < day(text))
    }

    @Test("that do not exist are those after them")
    func missingDay() throws {
        let days = try days("Pacific/Apia")
        let (missing, next) = (try day("2011-12-30"), try day("2011-12-31"))
        #expect(days.start(of: missing) == days.start(of: next))
        #expect(days.day(of: days.start(of: missing)) == next)
        #expect(try days.day(of: days.start(of: missing) - 1) == day("2011-12-29"))
    }

    @Test("are in weeks that start on any of them", arguments: Weekday.allCases)
    func weeks(weekday: Weekday) throws {
        for zone in Self.zones {
            let days = try days(zone).startingWeeks(on: weekday)
            #expect(days.firstWeekday == weekday && days.zone == zone)
            var wrong: [String] = []
            for number in 17_800..<18_600 {
                // The last day up to this one with the weekday; 1970-01-01 was a Thursday.
                var first = number
                while (first + 3) % 7 + 1 != weekday.rawValue { first -= 1 }
                let expected = days.start(ofDay: first)
                let start = days.start(ofDay: number)
                let seconds = [start, start + 43200, days.start(ofDay: number + 1) - 1]
                let isRight = seconds.allSatisfy { days.start(of: .week, containing: $0) == expected }
                if !isRight { wrong.append(CivilDate(daysSince1970: number).description) }
            }
            #expect(wrong == [], "\(zone)")
        }
        let fixed = Days(offsetMinutes: -570).startingWeeks(on: weekday)
        #expect(fixed == Days(offsetMinutes: -570, firstWeekday: weekday))
    }

    @Test("are in the months and years of their dates", arguments: zones)
    func monthsAndYears(zone: String) throws {
        let days = try days(zone)
        var wrong: [String] = []
        for number in stride(from: 14_600, to: 20_000, by: 3) {
            let start = days.start(ofDay: number)
            for seconds in [start, start + 43200, days.start(ofDay: number + 1) - 1] {
                let day = days.day(of: seconds)
                let month = try #require(CivilDate(year: day.year, month: day.month, day: 1))
                let year = try #require(CivilDate(year: day.year, month: 1, day: 1))
                let isRight =
                    days.start(of: .day, containing: seconds) == days.start(of: day)
                    && days.start(of: .month, containing: seconds) == days.start(of: month)
                    && days.start(of: .year, containing: seconds) == days.start(of: year)
                if !isRight { wrong.append(day.description) }
            }
        }
        #expect(wrong == [])
    }

    @Test("have hours that follow each other when clocks change", arguments: wholeHours)
    func hours(zone: String) throws {
        let days = try days(zone)
        for text in ["2018-02-17", "2018-11-04", "2022-03-27", "2024-03-10", "2024-03-31", "2024-10-27"] {
            let number = try day(text).daysSince1970
            let (start, end) = (days.start(ofDay: number - 1), days.start(ofDay: number + 2))
            for hour in stride(from: start, to: end, by: 3600) {
                for seconds in [hour, hour + 1, hour + 1800, hour + 3599] {
                    #expect(days.start(of: .hour, containing: seconds) == hour, "\(text)")
                }
                #expect((hour + days.offset(at: hour)) % 3600 == 0)
            }
        }
    }

    @Test("have hours by the clock, also where these change by half an hour")
    func halfHours() throws {
        let days = try days("Australia/Lord_Howe")
        for text in ["2024-04-07", "2024-10-06"] {
            let start = days.start(of: try day(text))
            for seconds in stride(from: start - 7200, to: start + 14_400, by: 60) {
                let hour = days.start(of: .hour, containing: seconds)
                #expect(hour <= seconds && seconds < hour + 3600)
                // An hour in which clocks change ends there, and another one begins.
                let begins = days.offset(at: hour) != days.offset(at: hour - 1)
                #expect(begins || (hour + days.offset(at: seconds)) % 3600 == 0)
                #expect(days.offset(at: hour) == days.offset(at: seconds))
                #expect(days.start(of: .hour, containing: hour) == hour)
            }
        }
    }

    @Test("are counted forward and back, at the same time of day", arguments: zones)
    func counting(zone: String) throws {
        let days = try days(zone)
        var wrong: [String] = []
        for text in ["2018-11-04", "2022-03-27", "2024-01-31", "2024-02-29", "2024-10-31", "2024-12-31"] {
            let number = try day(text).daysSince1970
            let noon = days.instant(ofLocal: number * 86400 + 43200)
            for count in -50...50 {
                for unit in [CalendarUnit.day, .week, .month, .year] {
                    let expected = try shifted(number, count, unit)
                    let found = days.instant(count, unit, after: noon)
                    let isRight = found + days.offset(at: found) == expected * 86400 + 43200
                    if !isRight { wrong.append("\(text) \(count) \(unit)") }
                }
                #expect(days.instant(count, .hour, after: noon) == noon + count * 3600)
            }
        }
        #expect(wrong == [])
    }

    /// Returns a day some units after another one, the last of its month where the month has no such day.
    private func shifted(_ number: Int, _ count: Int, _ unit: CalendarUnit) throws -> Int {
        guard unit == .month || unit == .year else { return number + count * (unit == .week ? 7 : 1) }
        let date = CivilDate(daysSince1970: number)
        let month = date.year * 12 + date.month - 1 + count * (unit == .year ? 12 : 1)
        let (year, monthOfYear) = (month / 12, month % 12 + 1)
        let length = (28...31).last { CivilDate(year: year, month: monthOfYear, day: $0) != nil }
        let found = CivilDate(year: year, month: monthOfYear, day: min(date.day, try #require(length)))
        return try #require(found).daysSince1970
    }

    @Test("give a time that clocks skip to the next one that they show")
    func skippedTimes() throws {
        let days = try days("Europe/Berlin")
        let midnight = try day("2024-03-31").daysSince1970 * 86400
        let change = try instant("2024-03-31T01:00")
        for minute in 0..<240 {
            // Clocks went from 2 to 3 o'clock.
            let offset = minute < 120 ? 3600 : 7200
            let expected = 120..<180 ~= minute ? change : midnight + minute * 60 - offset
            #expect(days.instant(ofLocal: midnight + minute * 60) == expected, "\(minute)")
        }
    }

    @Test("give a time that clocks show twice when they show it first")
    func repeatedTimes() throws {
        let days = try days("Europe/Berlin")
        let midnight = try day("2024-10-27").daysSince1970 * 86400
        for minute in 0..<240 {
            // Clocks went from 3 to 2 o'clock.
            let offset = minute < 180 ? 7200 : 3600
            let expected = midnight + minute * 60 - offset
            #expect(days.instant(ofLocal: midnight + minute * 60) == expected, "\(minute)")
        }
    }

    @Test("show instants with the offset of the season")
    func timestamps() throws {
        let days = try days("Europe/Berlin")
        let change = try instant("2024-03-31T01:00")
        #expect(days.timestamp(change - 1).iso == "2024-03-31T01:59:59+01:00")
        #expect(days.timestamp(change).iso == "2024-03-31T03:00:00+02:00")
    }
}
