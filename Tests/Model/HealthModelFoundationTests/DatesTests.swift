import ByteText
import FoundationEssentials
import HealthModelFoundation
import Testing

@Suite("Foundation's dates")
struct DatesTests {
    @Test(
        "an instant goes there and back, whatever its offset",
        arguments: [-62_135_596_800, -1, 0, 1, 951_782_399, 1_709_204_400, 253_370_764_799],
        [-720, -60, 0, 330, 840])
    func timestamps(seconds: Int, offset: Int) {
        let timestamp = Timestamp(seconds: seconds, offsetMinutes: offset)
        #expect(Date(timestamp).timeIntervalSince1970 == Double(seconds))
        if Timestamp.writable(offsetMinutes: offset).contains(seconds) {
            #expect(Timestamp(Date(timestamp), offsetMinutes: offset) == timestamp)
        } else {
            #expect(Timestamp(Date(timestamp), offsetMinutes: offset) == nil)
        }
    }

    @Test("parts of a second are rounded down, before 1970 too")
    func fractions() {
        #expect(Timestamp(Date(timeIntervalSince1970: 1.9))?.seconds == 1)
        #expect(Timestamp(Date(timeIntervalSince1970: -0.1))?.seconds == -1)
    }

    @Test(
        "a date without a year of four digits is none", arguments: [-1e12, 1e12, .infinity, -.infinity, .nan])
    func outOfRange(seconds: Double) {
        #expect(Timestamp(Date(timeIntervalSince1970: seconds)) == nil)
    }

    @Test("days agree with Foundation's calendar")
    func days() throws {
        var calendar = Calendar(identifier: .gregorian)
        let zone = try #require(TimeZone(secondsFromGMT: -34200))
        calendar.timeZone = zone
        for number in stride(from: -700_000, through: 2_900_000, by: 9973) {
            let date = Date(timeIntervalSince1970: Double(number) * 86400 + 34199)
            let components = calendar.dateComponents([.year, .month, .day], from: date)
            // Foundation's calendar is Julian before 1582.
            guard number > -141_000 else { continue }
            let day = try #require(CivilDate(components))
            #expect(CivilDate(date, in: zone) == day)
            #expect(day.dateComponents == DateComponents(year: day.year, month: day.month, day: day.day))
        }
        #expect(CivilDate(DateComponents(year: 2023, month: 2, day: 29)) == nil)
        #expect(CivilDate(DateComponents(year: 2023, month: 2)) == nil)
    }
}
