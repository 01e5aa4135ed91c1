import ByteText
import Testing

@testable import DriveExports

@Suite("Recurrences as text")
struct RecurrenceTests {
    @Test("every recurrence is read as what was written")
    func roundTrips() {
        let all = [.daily] + Weekday.allCases.map { .weekly($0) } + (1...31).map { Recurrence.monthly($0) }
        for recurrence in all { #expect(Recurrence(parsing: recurrence.text) == recurrence) }
        #expect(Set(all.map(\.text)).count == all.count)
    }

    @Test(
        "a recurrence is a word, and the day where there is one",
        arguments: [
            ("daily", Recurrence.daily), ("weekly sunday", .weekly(.sunday)),
            ("weekly SUN", .weekly(.sunday)), ("weekly Mon", .weekly(.monday)),
            ("weekly wEdNeSdAy", .weekly(.wednesday)), ("monthly 1", .monthly(1)),
            ("monthly 15", .monthly(15)), ("monthly 31", .monthly(31)), ("monthly last", .monthly(31)),
        ])
    func words(text: String, recurrence: Recurrence) { #expect(Recurrence(parsing: text) == recurrence) }

    @Test(
        "anything else is refused",
        arguments: [
            "", " ", "never", "daily sunday", "weekly", "weekly s", "weekly su", "weekly sund",
            "weekly sunday monday",
            "weekly 7", "weekly sonntag", "weekly \u{17f}unday", "monthly", "monthly 0", "monthly 32",
            "monthly -1",
            "monthly +1", "monthly 01", "monthly 1.", "monthly first", "monthly 1 2", "weekly\u{a0}sunday",
            "monthly 99999999999999999999", "monthly \u{661}", "daily\u{301}",
        ])
    func refusals(text: String) { #expect(Recurrence(parsing: text) == nil) }

    @Test("a weekday is its name or the first three letters", arguments: Weekday.allCases)
    func weekdays(day: Weekday) {
        #expect(Weekday(named: day.name) == day)
        #expect(Weekday(named: day.name.uppercased()) == day)
        #expect(Weekday(named: String(day.name.prefix(3))) == day)
        #expect(Weekday(named: String(day.name.prefix(4))) == nil)
        #expect(Weekday(named: "") == nil)
    }

    @Test("every time is read as what was written")
    func times() throws {
        for minute in 0..<1440 {
            let time = try #require(TimeOfDay(hour: minute / 60, minute: minute % 60))
            #expect(time.text.utf8.count == 5)
            #expect(TimeOfDay(parsing: time.text) == time)
            if time.hour < 10 { #expect(TimeOfDay(parsing: String(time.text.dropFirst())) == time) }
        }
    }

    @Test(
        "what no clock shows is refused",
        arguments: [
            "", ":", "2", "02", "2:", ":30", "2:3", "24:00", "23:60", "002:00", "2:000", "-2:00", "+2:00",
            "2:-1", "2:00:00", " 2:00", "2:00 ", "2.00", "2 pm", "\u{662}:00", "0x:00", "2:0\u{301}0",
        ])
    func noTimes(text: String) { #expect(TimeOfDay(parsing: text) == nil) }

    @Test("no time is made of other numbers")
    func numbers() {
        for (hour, minute) in [(-1, 0), (24, 0), (0, -1), (0, 60), (.min, .max)] {
            #expect(TimeOfDay(hour: hour, minute: minute) == nil)
        }
    }

    @Test("a range has the length that its name says")
    func ranges() {
        #expect(ExportRange.allCases.map(\.rawValue) == ["all", "24h", "7d", "30d"])
        #expect(ExportRange.allCases.map(\.seconds) == [nil, 86400, 604_800, 2_592_000])
    }
}
