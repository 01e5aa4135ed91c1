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
        "a recurrence is a word or a number",
        arguments: [
            ("day", Recurrence.daily), ("sunday", .weekly(.sunday)),
            ("SUN", .weekly(.sunday)), ("Mon", .weekly(.monday)),
            ("wEdNeSdAy", .weekly(.wednesday)), ("1", .monthly(1)),
            ("15", .monthly(15)), ("31", .monthly(31)), ("last", .monthly(31)),
        ])
    func words(text: String, recurrence: Recurrence) { #expect(Recurrence(parsing: text) == recurrence) }

    @Test(
        "anything else is refused",
        arguments: [
            "", " ", "never", "daily", "day sunday", "weekly", "s", "su", "sund", "sunday monday", "sonntag",
            "\u{17f}unday", "0", "32", "-1", "+1", "01", "1.", "first", "1 2", "\u{a0}sunday", "sunday ",
            "99999999999999999999", "\u{661}", "day\u{301}", "Day", "Last",
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
}
