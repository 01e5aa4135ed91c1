import ByteText
import Glibc
import Testing

@Suite("Times as Apple writes them")
struct TimestampTests {
    private func apple(_ text: String) -> Timestamp? {
        let bytes = Array(text.utf8)
        return Timestamp(apple: bytes.span)
    }

    private func text(_ time: Timestamp) -> String {
        var bytes: [UInt8] = []
        time.appendApple(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// What the C library makes of an instant.
    private func civil(_ seconds: Int) -> (Int, Int, Int) {
        var instant = time_t(seconds)
        var parts = unsafe tm()
        unsafe gmtime_r(&instant, &parts)
        return unsafe (Int(parts.tm_year) + 1900, Int(parts.tm_mon) + 1, Int(parts.tm_mday))
    }

    @Test("agree with the C library over four thousand years")
    func againstTheCLibrary() {
        for day in stride(from: -719_162, to: 1_000_000, by: 1009) {
            let seconds = day * 86400 + (day & 0xffff) % 86400
            let (year, month, dayOfMonth) = civil(seconds)
            let date = CivilDate(daysSince1970: day)
            #expect(date.year == year && date.month == month && date.day == dayOfMonth)
            #expect(date.daysSince1970 == day)
            let time = Timestamp(seconds: seconds, offsetMinutes: 0)
            #expect(apple(text(time)) == time)
        }
    }

    @Test("come back with every offset", arguments: [-1439, -720, -210, -1, 0, 1, 120, 345, 1439])
    func offsets(_ minutes: Int) {
        for seconds in [0, -1, 86399, 951_782_400, 4_102_444_800] {
            let time = Timestamp(seconds: seconds, offsetMinutes: minutes)
            #expect(apple(text(time)) == time)
            let iso = Array(time.iso.utf8)
            #expect(Timestamp(iso: iso.span) == time)
        }
    }

    @Test(
        "are refused where they could not be written back",
        arguments: [
            "2023-05-13 10:36:12 -0000", "2023-02-29 10:36:12 +0200", "2023-05-13 24:00:00 +0200",
            "2023-05-13 10:60:12 +0200", "2023-05-13 10:36:60 +0200", "2023-13-01 10:36:12 +0200",
            "2023-05-13 10:36:12 +2400", "2023-05-13 10:36:12 +0260", "2023-05-13T10:36:12 +0200",
            "2023-05-13 10:36:12 +02:00", "2023-05-13 10:36:12 0200", "2023-05-1310:36:12  +0200",
            "0000-05-13 10:36:12 +0200", "２023-05-13 10:36:12 +0200", "",
        ])
    func refusals(_ text: String) { #expect(apple(text) == nil) }

    @Test("leap days exist where they do")
    func leapDays() {
        #expect(CivilDate(year: 2000, month: 2, day: 29) != nil)
        #expect(CivilDate(year: 1900, month: 2, day: 29) == nil)
        #expect(CivilDate(year: 2024, month: 2, day: 29) != nil)
        #expect(CivilDate(year: 2023, month: 2, day: 29) == nil)
    }
}

@Suite("Calendar spans of UTC")
struct CalendarSpanTests {
    static let names: [(SpanRule, Int, String)] = [
        (.months(1), 1_683_970_572, "2023-05"), (.months(6), 1_683_970_572, "2023-H1"),
        (.months(6), 1_688_169_600, "2023-H2"), (.months(12), 1_683_970_572, "2023"),
        (.months(3), 1_683_970_572, "2023-04_3m"), (.days(1), 1_683_970_572, "2023-05-13"),
        (.days(1), -1, "1969-12-31"), (.weeks(1), 1_683_970_572, "2023-05-08_1w"),
        (.weeks(1), 345_600, "1970-01-05_1w"),
        (.weeks(1), 345_599, "1969-12-29_1w"), (.all, 0, "all"), (.months(1), 1_682_899_200, "2023-05"),
        (.months(1), 1_682_899_199, "2023-04"),
    ]

    @Test("have the names of their first days", arguments: names)
    func naming(_ rule: SpanRule, _ seconds: Int, _ name: String) {
        #expect(rule.name(of: rule.span(of: seconds)) == name)
    }

    @Test(
        "follow each other without gaps",
        arguments: [SpanRule.months(1), .months(6), .months(7), .days(3), .weeks(2)])
    func order(_ rule: SpanRule) {
        var last: Int?
        for day in stride(from: -3000, to: 3000, by: 1) {
            guard case .numbered(let number) = rule.span(of: day * 86400) else { continue }
            if let last { #expect(number == last || number == last + 1) }
            last = number
        }
    }

    @Test("a writer that remembers the day writes what a time by itself does")
    func writer() {
        var writer = TimeWriter()
        let days = [0, 1, -1, 86399, 86400, -86400, 1_700_000_000, -62_135_596_800, 253_402_300_799]
        for offset in [0, 60, -570, 1439, -1439] {
            for second in [0, 1, 59, 3600, 43_200, 86_399, 86_400, -1, 17] {
                for day in days {
                    let time = Timestamp(seconds: day + second, offsetMinutes: offset)
                    var (expected, written): ([UInt8], [UInt8]) = ([], [])
                    time.appendISO(to: &expected)
                    // Twice: once for the first time on this day, and once remembered.
                    for _ in 0..<2 {
                        written = []
                        written.append(addingCapacity: Timestamp.length) { output in
                            writer.appendISO(seconds: time.seconds, offsetMinutes: offset, to: &output)
                        }
                        #expect(written == expected)
                    }
                }
            }
        }
    }

    @Test("the compact form says what Apple's form says")
    func compact() {
        for (compact, apple) in [
            ("20141001080000+0200", "2014-10-01 08:00:00 +0200"),
            ("20150616071820-0700", "2015-06-16 07:18:20 -0700"),
        ] {
            let time = Timestamp(compact: Array(compact.utf8).span)
            #expect(time == Timestamp(apple: Array(apple.utf8).span) && time != nil)
            #expect(time == Timestamp(healthApp: Array(compact.utf8).span))
            #expect(time == Timestamp(healthApp: Array(apple.utf8).span))
        }
        for wrong in [
            "20141301080000+0200", "2014100108000+0200", "20141001080000 0200", "20141001080000-0000", "",
        ] {
            #expect(Timestamp(compact: Array(wrong.utf8).span) == nil)
        }
    }
}
