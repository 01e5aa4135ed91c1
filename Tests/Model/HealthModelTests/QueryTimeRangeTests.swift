import ByteText
import HealthModel
import Testing

@Suite("The time of a query")
struct QueryTimeSweepTests {
    /// Days in a zone whose clocks follow a rule of POSIX in all years: a TZif file with a footer alone.
    private static func days(_ rule: String, _ firstWeekday: Weekday = .monday) throws -> Days {
        let head = Array("TZif2".utf8) + [UInt8](repeating: 0, count: 15)
        let counts = [0, 0, 0, 0, 1, 1].flatMap { [0, 0, 0, $0] as [UInt8] }
        let half = head + counts + [UInt8](repeating: 0, count: 7)
        let file = half + half + Array("\n\(rule)\n".utf8)
        let rules = ZoneRules(tzif: file.span)
        return Days(zone: rule, rules: try #require(rules), firstWeekday: firstWeekday)
    }

    /// Rules for days in which every day begins at midnight.
    private static func rules() throws -> [Days] {
        [
            .utc, Days(offsetMinutes: 345, firstWeekday: .sunday), Days(offsetMinutes: -570),
            try Self.days("CET-1CEST,M3.5.0,M10.5.0/3"), try Self.days("EST5EDT,M3.2.0,M11.1.0", .sunday),
            try Self.days("AEST-10AEDT,M10.1.0,M4.1.0/3", .saturday),
        ]
    }

    /// Instants around changes of clocks, and around the new year.
    private static let instants = [
        1_711_846_800, 1_729_990_800, 1_710_054_000, 1_730_613_600, 1_704_067_200, 0,
    ]
    .flatMap { instant in stride(from: -100_000, through: 100_000, by: 2477).map { instant + $0 } }

    private static func present(_ unit: CalendarUnit) -> QueryTimeRange {
        switch unit {
        case .hour: .currentHour
        case .day: .today
        case .week: .currentWeek
        case .month: .currentMonth
        case .year: .currentYear
        }
    }

    private static func last(_ count: Int, _ unit: CalendarUnit) -> QueryTimeRange {
        switch unit {
        case .hour: .last(hours: count)
        case .day: .last(days: count)
        case .week: .last(weeks: count)
        case .month: .last(months: count)
        case .year: .last(years: count)
        }
    }

    private static func day(_ text: String) throws -> CivilDate {
        let bytes = Array(text.utf8)
        let day = CivilDate(bytes.span)
        return try #require(day)
    }

    @Test(
        "that is the present unit contains the present and adjoins the next", arguments: CalendarUnit.allCases
    )
    func presentUnit(unit: CalendarUnit) throws {
        let range = Self.present(unit)
        for days in try Self.rules() {
            var wrong: [Int] = []
            for now in Self.instants {
                let seconds = range.resolved(days, now: now)
                let next = range.resolved(days, now: seconds.upperBound)
                let isRight =
                    seconds.contains(now) && seconds.lowerBound == days.start(of: unit, containing: now)
                    && next.lowerBound == seconds.upperBound
                    && range.resolved(days, now: seconds.lowerBound) == seconds
                    && range.resolved(days, now: seconds.upperBound - 1) == seconds
                if !isRight { wrong.append(now) }
            }
            #expect(wrong == [], "\(days.zone)")
        }
    }

    @Test("that is the last one of a unit is the present one", arguments: CalendarUnit.allCases)
    func lastOne(unit: CalendarUnit) throws {
        #expect(Self.last(1, unit) == Self.present(unit))
        // Fewer are none, and as many as a computer can count are not too many.
        for count in [0, -1, .min] { #expect(Self.last(count, unit) == Self.present(unit)) }
        for days in try Self.rules() {
            let many = Self.last(.max, unit).resolved(days, now: 1_711_846_800)
            let present = Self.present(unit).resolved(days, now: 1_711_846_800)
            #expect(many.upperBound == present.upperBound && many.lowerBound < present.lowerBound)
        }
    }

    @Test("that is the last ones of a unit ends with the present one", arguments: CalendarUnit.allCases)
    func lastOnes(unit: CalendarUnit) throws {
        for days in try Self.rules() {
            for now in [1_711_846_800, 1_729_990_800, 1_710_054_000, 1_709_208_000] {
                let present = Self.present(unit).resolved(days, now: now)
                for count in 1..<40 {
                    let shorter = Self.last(count, unit).resolved(days, now: now)
                    let longer = Self.last(count + 1, unit).resolved(days, now: now)
                    #expect(shorter.upperBound == present.upperBound)
                    let before = days.start(of: unit, containing: shorter.lowerBound - 1)
                    #expect(longer.lowerBound == before, "\(days.zone) \(count)")
                }
            }
        }
    }

    /// Behaviour 1 of the reference: what `last` means on 2025-02-11.
    @Test(
        "that is a period begins with the day that is so long before",
        arguments: [
            ("4d", "2025-02-07"), ("1w", "2025-02-04"), ("2m", "2024-12-11"), ("3y", "2022-02-11"),
            ("28m", "2022-10-11"),
        ])
    func periods(period: String, day: String) throws {
        let range = QueryTimeRange.last(try #require(CalendarPeriod(parsing: period)))
        let (today, start) = (try Self.day("2025-02-11"), try Self.day(day))
        for days in try Self.rules() {
            for now in [days.start(of: today), days.start(of: today) + 86399] {
                #expect(range.resolved(days, now: now) == days.start(of: start)..<Int.max)
            }
        }
    }

    @Test("without an end can end with the day of the export, and one with an end stays as it is")
    func endingWithExport() throws {
        let (today, week) = (try Self.day("2025-02-11"), try #require(CalendarPeriod(parsing: "1w")))
        let start = try Self.day("2025-02-04")
        for days in try Self.rules() {
            let now = days.start(of: today) + 7200
            let end = days.start(of: CivilDate(daysSince1970: today.daysSince1970 + 1))
            func resolved(_ range: QueryTimeRange) -> Range<Int> {
                range.endingWithExport.resolved(days, now: now)
            }
            #expect(resolved(.last(week)) == days.start(of: start)..<end)
            #expect(resolved(.since(.day(start))) == days.start(of: start)..<end)
            #expect(resolved(.ever) == .min..<end)
            for range in [QueryTimeRange.today, .currentYear, .day(start), .until(.day(start))] {
                #expect(range.endingWithExport == range)
            }
        }
    }

    @Test("that is a day adjoins the next day, and several days are those from the first to the last")
    func adjoiningDays() throws {
        let first = try Self.day("2023-01-01").daysSince1970
        for days in try Self.rules() {
            var lengths: [Int: Int] = [:]
            for number in first..<(first + 730) {
                let (day, next) = (CivilDate(daysSince1970: number), CivilDate(daysSince1970: number + 1))
                let range = QueryTimeRange.day(day).resolved(days, now: 0)
                let nextRange = QueryTimeRange.day(next).resolved(days, now: 1_711_846_800)
                #expect(range.lowerBound == days.start(of: day) && range.upperBound == nextRange.lowerBound)
                #expect(
                    QueryTimeRange.days(day...next).resolved(days, now: 0)
                        == range.lowerBound..<nextRange.upperBound)
                #expect(QueryTimeRange.days(day...day) == .day(day))
                lengths[range.count / 3600, default: 0] += 1
            }
            let changes = days.offset(at: 1_704_067_200) == days.offset(at: 1_719_792_000) ? 0 : 2
            #expect(lengths[23, default: 0] == changes && lengths[25, default: 0] == changes)
            #expect(lengths[24] == 730 - 2 * changes)
        }
    }

    @Test("that has limits contains both of them")
    func limits() throws {
        let (day, later) = (try Self.day("2024-03-31"), try Self.day("2024-10-27"))
        let instant = Timestamp(seconds: 1_711_846_799, offsetMinutes: 60)
        let end = Timestamp(seconds: 1_729_990_800, offsetMinutes: 0)
        for days in try Self.rules() {
            let (first, last) = (days.start(of: day), days.start(ofDay: later.daysSince1970 + 1))
            func resolved(_ range: QueryTimeRange) -> Range<Int> { range.resolved(days, now: 0) }
            #expect(resolved(.since(.day(day))) == first..<Int.max)
            #expect(resolved(.until(.day(later))) == Int.min..<last)
            #expect(resolved(.between(.day(day), .day(later))) == first..<last)
            #expect(resolved(.since(.instant(instant))) == instant.seconds..<Int.max)
            #expect(resolved(.until(.instant(end))) == Int.min..<(end.seconds + 1))
            #expect(resolved(.between(.instant(instant), .instant(instant))).count == 1)
            #expect(resolved(.between(.day(day), .instant(end))) == first..<(end.seconds + 1))
            #expect(resolved(.instants(instant..<end)) == instant.seconds..<end.seconds)
            #expect(resolved(.instants(end..<end)).isEmpty)
            // The other way round there is nothing between them.
            #expect(resolved(.between(.day(later), .day(day))).isEmpty)
            #expect(resolved(.between(.instant(end), .instant(instant))).isEmpty)
        }
    }

    @Test("is unlimited only without limits")
    func unlimited() throws {
        let day = try Self.day("2024-02-29")
        for days in try Self.rules() {
            #expect(QueryTimeRange.ever.resolved(days, now: 1_711_846_800) == Int.min..<Int.max)
        }
        #expect(QueryTimeRange.ever.isUnlimited && QueryTimeRange.limited(nil, nil).isUnlimited)
        let others: [QueryTimeRange] = [
            .today, .last(years: .max), .since(.day(day)), .until(.day(day)), .day(day),
            .last(CalendarPeriod(months: 12_000, days: 0)),
        ]
        for range in others { #expect(!range.isUnlimited) }
    }

    @Test("begins and ends with days where clocks skip midnight as well", arguments: 1..<10)
    func skippedMidnight(count: Int) throws {
        // In Brazil, 2018-11-04, a Sunday, began at 1 o'clock.
        let days = try Self.days("<-03>3<-02>,M11.1.0/0,M2.3.0/0", .sunday)
        let skipped = try Self.day("2018-11-04").daysSince1970
        for number in (skipped - 10)...(skipped + 10) {
            let (start, end) = (days.start(ofDay: number), days.start(ofDay: number + 1))
            let first = days.start(ofDay: number - count + 1)
            let sunday = skipped - 14 + (number - skipped + 14) / 7 * 7
            let week = days.start(ofDay: sunday)..<days.start(ofDay: sunday + 7)
            for now in [start, start + 43200, end - 1] {
                let day = CivilDate(daysSince1970: number)
                #expect(QueryTimeRange.last(days: count).resolved(days, now: now) == first..<end, "\(day)")
                #expect(QueryTimeRange.currentWeek.resolved(days, now: now) == week, "\(day)")
            }
        }
    }
}

@Suite("Times of queries")
struct QueryTimeRangeTests {
    /// 2024-05-15T13:30:00Z, a Wednesday.
    private static let now = 1_715_779_800

    private func range(_ range: QueryTimeRange) -> [String] {
        let resolved = range.resolved(.utc, now: Self.now)
        return [resolved.lowerBound, resolved.upperBound].map {
            Timestamp(seconds: $0, offsetMinutes: 0).utc
        }
    }

    @Test("count back in whole units, of which the current one is the last")
    func units() {
        #expect(range(.currentHour) == ["2024-05-15T13:00:00Z", "2024-05-15T14:00:00Z"])
        #expect(range(.today) == ["2024-05-15T00:00:00Z", "2024-05-16T00:00:00Z"])
        #expect(range(.currentWeek) == ["2024-05-13T00:00:00Z", "2024-05-20T00:00:00Z"])
        #expect(range(.currentMonth) == ["2024-05-01T00:00:00Z", "2024-06-01T00:00:00Z"])
        #expect(range(.currentYear) == ["2024-01-01T00:00:00Z", "2025-01-01T00:00:00Z"])
        #expect(range(.last(days: 7)) == ["2024-05-09T00:00:00Z", "2024-05-16T00:00:00Z"])
        #expect(range(.last(months: 5)) == ["2024-01-01T00:00:00Z", "2024-06-01T00:00:00Z"])
        #expect(
            [.last(hours: 1), .last(days: 1), .last(weeks: 1), .last(months: 1), .last(years: 1)]
                == [QueryTimeRange.currentHour, .today, .currentWeek, .currentMonth, .currentYear])
        #expect(QueryTimeRange.last(days: 0) == .today && QueryTimeRange.last(days: -5) == .today)
    }

    @Test("have both ends, or none")
    func limits() {
        #expect(range(.day("2024-02-29")) == ["2024-02-29T00:00:00Z", "2024-03-01T00:00:00Z"])
        #expect(
            range(.days("2023-12-31"..."2024-01-01")) == ["2023-12-31T00:00:00Z", "2024-01-02T00:00:00Z"])
        #expect(
            range(.between("2024-01-01T10:00:00Z", "2024-01-01T10:00:05+00:00"))
                == ["2024-01-01T10:00:00Z", "2024-01-01T10:00:06Z"])
        #expect(QueryTimeRange.ever.resolved(.utc, now: 0) == .min ..< .max)
        #expect(QueryTimeRange.since("2024-01-01").resolved(.utc, now: 0).upperBound == .max)
        let backwards = QueryTimeRange.between("2024-02-01", "2024-01-01").resolved(.utc, now: 0)
        #expect(backwards.isEmpty)
    }
}
