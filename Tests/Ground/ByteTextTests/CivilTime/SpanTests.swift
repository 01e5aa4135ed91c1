import ByteText
import Testing

@Suite("Spans of the calendar")
struct SpanTests {
    private func instant(_ text: String) throws -> Int {
        let bytes = Array((text + "T00:00:00+00:00").utf8)
        let time = Timestamp(iso: bytes.span)
        return try #require(time).seconds
    }

    /// The spans between two instants, cut to them.
    private func ranges(_ rule: SpanRule, _ start: Int, _ end: Int) throws -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        var place = start
        while place < end {
            let span = try #require(rule.range(around: place))
            ranges.append(place..<min(span.upperBound, end))
            place = span.upperBound
        }
        return ranges
    }

    @Test("of a month cover a range without a gap, the outer ones cut to it")
    func months() throws {
        let found = try ranges(.months(1), instant("2024-10-07"), instant("2025-04-18"))
        #expect(found.count == 7)
        #expect(try found.first == instant("2024-10-07")..<instant("2024-11-01"))
        #expect(try found.last == instant("2025-04-01")..<instant("2025-04-18"))
        #expect(
            try SpanRule.months(1).range(around: instant("2025-04-17"))
                == instant("2025-04-01")..<instant("2025-05-01"))
        #expect(try ranges(.months(12), instant("2021-05-07"), instant("2025-04-18")).count == 5)
    }

    @Test("of weeks start on Monday, wherever the program runs")
    func weeks() throws {
        let found = try ranges(.weeks(2), instant("2025-01-24"), instant("2025-07-24"))
        #expect(found.count == 14)
        #expect(try found[0] == instant("2025-01-24")..<instant("2025-02-03"))
        #expect(try found[1] == instant("2025-02-03")..<instant("2025-02-17"))
        #expect(try found[13] == instant("2025-07-21")..<instant("2025-07-24"))
    }

    /// So that the sums of archives with different spans can be compared: by those of the longer ones.
    @Test("lie in one another, of those that are taken unasked")
    func nesting() throws {
        let chosen: [SpanRule] = [.months(1), .months(6), .months(12), .months(60)]
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<2000 {
            let seconds = Int.random(in: -60_000_000_000...60_000_000_000, using: &generator)
            let ranges = try chosen.map { try #require($0.range(around: seconds)) }
            for (inner, outer) in zip(ranges, ranges.dropFirst()) {
                #expect(outer.clamped(to: inner) == inner, "\(seconds)")
            }
        }
        #expect(SpanRule.all.range(around: 0) == nil)
    }

    @Test(
        "of several years are named after the first and the last",
        arguments: [
            (60, "2019-12-31", "2015-2019"), (60, "2020-01-01", "2020-2024"), (60, "0003-01-01", "0000-0004"),
            (24, "2023-07-01", "2022-2023"), (12, "2023-07-01", "2023"), (18, "2023-07-01", "2023-07_18m"),
        ])
    func years(months: Int, day: String, name: String) throws {
        let rule = SpanRule.months(months)
        #expect(try rule.name(of: rule.span(of: instant(day))) == name)
    }

    static let rules: [SpanRule] =
        [1, 2, 3, 6, 12, 24, 60].map { .months($0) } + [1, 5, 24, 1000].map { .hours($0) }
        + [1, 7, 400].map { .days($0) } + [1, 2, 52].map { .weeks($0) }

    @Test("hold the instants that are theirs, and the name of each is its own", arguments: rules)
    func consistency(_ rule: SpanRule) throws {
        var names: [String: CalendarSpan] = [:]
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<2000 {
            let seconds = Int.random(in: -60_000_000_000...60_000_000_000, using: &generator)
            let range = try #require(rule.range(around: seconds))
            #expect(range.contains(seconds))
            let span = rule.span(of: seconds)
            #expect(rule.span(of: range.lowerBound) == span && rule.span(of: range.upperBound - 1) == span)
            #expect(rule.span(of: range.upperBound) != span && rule.span(of: range.lowerBound - 1) != span)
            #expect(names.updateValue(span, forKey: rule.name(of: span)) ?? span == span)
        }
    }
}
