import ByteText
import ExportGenerator
import HealthArchive
import HealthModel
import HealthQueries
import HealthStoreTesting
import Testing

@Suite("Statistics")
struct StatisticsTests {
    private static let june = TestDocument.june
    private static let heartRate = "HKQuantityTypeIdentifierHeartRate"

    @Test("of equal heart rates have one value for average, least and greatest")
    func equalRates() async throws {
        var document = TestDocument()
        for number in 0..<50 {
            document.add(Self.heartRate, "61.5", from: Self.june + number * 311, unit: "count/min")
        }
        let result = try await document.store.statistics(
            StatisticsQuery(.heartRate, unit: .count / .minute, days: .utc))
        let day = try #require(result.intervals.first)
        #expect(Array(result.intervals).count == 1 && day.count == 50)
        #expect(abs((day.average ?? 0) - 61.5) < 1e-9 && day.minimum == 61.5 && day.maximum == 61.5)
    }

    @Test("that mean nothing for a type are an error")
    func unfitting() async throws {
        var document = TestDocument()
        document.add(Self.heartRate, "61", from: Self.june, unit: "count/min")
        let store = document.store
        await #expect(throws: QueryError(.unfit(.sum), .heartRate)) {
            try await store.statistics(StatisticsQuery(.heartRate, [.sum]))
        }
        for option in [StatisticsOption.average, .minimum, .maximum] {
            await #expect(throws: QueryError(.unfit(option), .stepCount)) {
                try await store.statistics(StatisticsQuery(.stepCount, [option]))
            }
        }
    }

    @Test("over intervals of any length add up to the sum of the samples", arguments: CalendarUnit.allCases)
    func sums(_ unit: CalendarUnit) async throws {
        var dice = Dice(7)
        var document = TestDocument()
        var total = 0
        for _ in 0..<300 {
            let start = Self.june + Int.random(in: 0..<40 * 86400, using: &dice)
            let value = Int.random(in: 1...500, using: &dice)
            total += value
            document.add(
                "\(value)", from: start, to: start + Int.random(in: 0...7200, using: &dice),
                source: Bool.random(using: &dice) ? "Watch" : "iPhone")
        }
        for interval in [StatisticsQuery.Interval.calendar(unit), .every(1, unit), .every(3, unit)] {
            let result = try await document.store.statistics(
                StatisticsQuery(.stepCount, by: interval, merge: .none))
            let sum = result.intervals.reduce(0) { $0 + ($1.sum ?? 0) }
            #expect(abs(sum - Double(total)) < 1e-6, "\(interval)")
            for (first, second) in zip(result.intervals, result.intervals.dropFirst()) {
                #expect(first.end.seconds <= second.start.seconds)
            }
        }
    }

    @Test("count each second once, from the source with the highest priority", arguments: 0..<20)
    func priority(seed: Int) async throws {
        var dice = Dice(UInt64(seed))
        var document = TestDocument()
        let names = ["Watch", "iPhone", "Other"]
        let length = 4000
        // Of each source, the steps in each second.
        var rates = names.map { _ in [Double](repeating: 0, count: length) }
        var covered = names.map { _ in [Bool](repeating: false, count: length) }
        for _ in 0..<30 {
            let source = Int.random(in: 0..<3, using: &dice)
            let start = Int.random(in: 0..<length - 1, using: &dice)
            let end = min(length, start + Int.random(in: 1...600, using: &dice))
            let value = Int.random(in: 1...900, using: &dice)
            document.add("\(value)", from: Self.june + start, to: Self.june + end, source: names[source])
            for second in start..<end {
                rates[source][second] += Double(value) / Double(end - start)
                covered[source][second] = true
            }
        }
        for order in [[0, 1, 2], [2, 0, 1], [1, 2, 0]] {
            var expected = [Double](repeating: 0, count: 2)
            for second in 0..<length {
                guard let source = order.first(where: { covered[$0][second] }) else { continue }
                expected[second / 3600] += rates[source][second]
            }
            let query = StatisticsQuery(
                .stepCount, by: .calendar(.hour), merge: .priority(order.map { names[$0] }), days: .utc)
            let result = try await document.store.statistics(query)
            var found = [Double](repeating: 0, count: 2)
            for hour in result.intervals { found[(hour.start.seconds - Self.june) / 3600] = hour.sum ?? 0 }
            for (mine, theirs) in zip(found, expected) { #expect(abs(mine - theirs) < 1e-6) }
            #expect(result.sources == order.map { names[$0] }.filter { result.sources.contains($0) })
        }
    }

    @Test("take, of each interval, the source with the most")
    func maximumSource() async throws {
        var document = TestDocument()
        document.add("100", from: Self.june, to: Self.june + 60, source: "Watch")
        document.add("150", from: Self.june, to: Self.june + 60, source: "iPhone")
        document.add("70", from: Self.june + 86400, to: Self.june + 86460, source: "Watch")
        document.add("60", from: Self.june + 86400, to: Self.june + 86460, source: "iPhone")
        let result = try await document.store.statistics(
            StatisticsQuery(.stepCount, merge: .maximumSource, days: .utc))
        #expect(result.intervals.map(\.sum) == [150, 70])
    }

    @Test(
        "find the true total of a watch and a phone that record the same walks, where the naive sum does not")
    func truth() async throws {
        var options = GeneratedExport.Options()
        options.xmlBytes = 3_000_000
        options.shape = .watchAndPhone
        options.sideFiles = .none
        let export = GeneratedExport(options)
        let census = export.census()
        let store = InMemoryStore(export)
        for type in [SampleType<QuantitySample>.stepCount, .distanceWalkingRunning, .activeEnergyBurned] {
            let truth = try #require(census.trueTotals[type.identifier])
            let naive = try #require(census.naiveTotals[type.identifier])
            func total(_ merge: SourceMerge) async throws -> Double {
                let unit = try await store.samples(type, limit: 1).first()?.unit
                return try await store.statistics(
                    StatisticsQuery(type, by: .calendar(.year), merge: merge, unit: unit)
                ).intervals.reduce(0) { $0 + ($1.sum ?? 0) }
            }
            #expect(abs(try await total(.priority()) / truth - 1) < 0.001)
            #expect(abs(try await total(.none) / naive - 1) < 1e-9)
            #expect(naive > 1.2 * truth)
        }
    }

    @Test("go by days of 23 and 25 hours where clocks change")
    func daylight() async throws {
        var document = TestDocument()
        // 2024-03-30T23:30:00Z is half past midnight of the 31st in Berlin.
        for hour in 0..<72 {
            let start = 1_711_668_600 + hour * 3600
            document.add("1", from: start, to: start)
        }
        document.exportDate = "2024-07-01 12:00:00 +0200"
        document.add(
            "HKCategoryTypeIdentifierSleepAnalysis", "x", from: Self.june, unit: nil, metadata: nil)
        let zone = try #require(try Days(zoneText: "Europe/Berlin"))
        let result = try await document.store.statistics(
            StatisticsQuery(.stepCount, merge: .none, days: zone))
        let lengths = result.intervals.map { ($0.end.seconds - $0.start.seconds) / 3600 }
        #expect(lengths == [24, 24, 23, 24])
        #expect(Array(result.intervals).dropFirst().dropLast().map(\.sum) == [24, 23])
    }

    @Test("begin with the time of the query unless they follow the calendar")
    func anchors() async throws {
        var document = TestDocument()
        for day in 0..<30 { document.add("1", from: Self.june + day * 86400 + 43200) }
        let first = try #require(CivilDate(year: 2024, month: 6, day: 5))
        let last = try #require(CivilDate(year: 2024, month: 6, day: 20))
        func starts(_ interval: StatisticsQuery.Interval) async throws -> [String] {
            let query = StatisticsQuery(.stepCount, by: interval, in: .days(first...last), days: .utc)
            return try await document.store.statistics(query).intervals.map {
                String($0.start.iso.prefix(10))
            }
        }
        // 5 June 2024 was a Wednesday.
        #expect(try await starts(.every(1, .week)) == ["2024-06-05", "2024-06-12", "2024-06-19"])
        #expect(try await starts(.calendar(.week)) == ["2024-06-05", "2024-06-10", "2024-06-17"])
        #expect(try await starts(.every(10, .day)) == ["2024-06-05", "2024-06-15"])
    }

    @Test("leave out what is before the time, and count the part of a sample that reaches into it")
    func edges() async throws {
        var document = TestDocument()
        document.add("100", from: Self.june - 1800, to: Self.june + 1800)
        document.add("100", from: Self.june + 86400 - 900, to: Self.june + 86400 + 2700)
        document.add("7", from: Self.june - 10)
        let day = try #require(CivilDate(year: 2024, month: 6, day: 1))
        let result = try await document.store.statistics(
            StatisticsQuery(.stepCount, [.sum, .duration], in: .day(day), days: .utc))
        #expect(result.intervals.map(\.sum) == [75])
        #expect(result.intervals.map(\.duration) == [2700])
    }

    @Test("weigh heart rates by the time for which they hold")
    func timeWeighted() throws {
        // 60 for 100 s, 120 for 300 s.
        let mean = try #require(
            TimeWeightedMean.of([(0, 0, 60), (100, 100, 120), (400, 400, 100)], until: 400))
        #expect(abs(mean - (60 * 100 + 120 * 300) / 400) < 1e-9)
        // A gap counts for ten minutes at most.
        let gap = try #require(TimeWeightedMean.of([(0, 0, 60), (7200, 7200, 120)], until: 7800))
        #expect(gap == 90)
        #expect(TimeWeightedMean.of([], until: 0) == nil)
        #expect(TimeWeightedMean.of([(5, 5, 7)], until: 5) == 7)
    }

    @Test("share the time of an instant among the values at it, in whatever order they are", arguments: 0..<6)
    func equalInstants(order: Int) async throws {
        // Sixty and 120 share five minutes, after which 100 applies for ten; what starts at once with a duration ends them.
        let values = [(0, 0, 60.0), (0, 0, 120), (300, 300, 100), (7200, 7200, 10), (7200, 7260, 50)]
        let turned = order == 5 ? values.reversed() : Array(values[order...] + values[..<order])
        let mean = try #require(TimeWeightedMean.of(turned, until: 90000))
        #expect(abs(mean - (90 * 300 + 100 * 600 + 50 * 60) / 960) < 1e-9)
        var document = TestDocument()
        for (start, end, value) in turned {
            document.add(
                "HKQuantityTypeIdentifierHeartRate", "\(value)", from: Self.june + start, to: Self.june + end,
                unit: "count/min")
        }
        for range in [QueryTimeRange.ever, .until(.instant(Timestamp(seconds: Self.june, offsetMinutes: 0)))]
        {
            let result = try await document.store.statistics(
                StatisticsQuery(.heartRate, [.average, .mostRecent], in: range, days: .utc))
            let latest = range.isUnlimited ? 50.0 : 120
            #expect(result.intervals.map(\.mostRecent) == [latest])
            let average = try #require(result.intervals.first?.average)
            #expect(abs(average - (range.isUnlimited ? mean : 90)) < 1e-9)
        }
    }

    @Test("have the kind of a source from the first of its devices by text, if two begin at one instant")
    func equalDevices() async throws {
        func sources(_ names: [String]) async throws -> [String] {
            var document = TestDocument()
            for name in names {
                document.add("1", from: Self.june, to: Self.june + 60, source: "A", device: name)
            }
            document.add("1", from: Self.june, to: Self.june + 60, source: "B", device: "iPhone")
            return try await document.store.statistics(StatisticsQuery(.stepCount, days: .utc)).sources
        }
        #expect(try await sources(["Apple Watch", "Other"]) == ["A", "B"])
        #expect(try await sources(["Other", "Apple Watch"]) == ["A", "B"])
    }

    @Test("average sound by its energy")
    func levels() throws {
        let same = try #require(EquivalentLevel.of([(10, 80), (90, 80)]))
        #expect(abs(same - 80) < 1e-9)
        // Half of the time with ten times the energy.
        let mixed = try #require(EquivalentLevel.of([(50, 70), (50, 80)]))
        #expect(abs(mixed - 77.4036) < 1e-3)
        #expect(abs(try #require(EquivalentLevel.of([(0, 70), (0, 80)])) - 77.4036) < 1e-3)
        #expect(EquivalentLevel.of([]) == nil)
        let loud = try #require(EquivalentLevel.of([(1, 1e6), (1, 1e6)]))
        #expect(loud == 1e6)
    }

    @Test("over millennia of hours are computed one by one")
    func millennia() async throws {
        var document = TestDocument()
        document.add("1", from: -60_000_000_000)
        document.add("1000", from: Self.june, to: Self.june + 3600 * 24 * 365)
        let result = try await document.store.statistics(
            StatisticsQuery(.stepCount, by: .calendar(.hour), days: .utc))
        #expect(result.intervals.first?.sum == 1)
        #expect(result.intervals.prefix(3).map(\.count) == [1, 1, 1])
    }

    @Test("convert samples of other units, and tell how many measure something else")
    func units() async throws {
        var document = TestDocument()
        let type = "HKQuantityTypeIdentifierDistanceWalkingRunning"
        document.add(type, "1", from: Self.june, unit: "km")
        document.add(type, "1", from: Self.june + 60, unit: "mi")
        document.add(type, "1", from: Self.june + 120, unit: "kg")
        document.add(type, "n/a", from: Self.june + 180, unit: "km")
        let result = try await document.store.statistics(
            StatisticsQuery(.distanceWalkingRunning, unit: .meter(), days: .utc))
        #expect(result.skipped == 2)
        #expect(abs((result.intervals.first?.sum ?? 0) - 2609.344) < 1e-9)
        let miles = try #require(result.converted(to: .mile))
        #expect(abs((miles.intervals.first?.sum ?? 0) - 2609.344 / 1609.344) < 1e-9)
        #expect(result.converted(to: .gram()) == nil)
    }

    @Test("of the source with the most do not depend on what else is asked for")
    func greatestSource() async throws {
        var document = TestDocument()
        document.add("1000", from: Self.june, to: Self.june + 60, source: "A")
        document.add("1", from: Self.june, to: Self.june + 60, source: "B")
        document.add("2", from: Self.june + 60, to: Self.june + 120, source: "B")
        for options in [[StatisticsOption.sum, .mostRecent], [.mostRecent]] {
            let result = try await document.store.statistics(
                StatisticsQuery(.stepCount, options, merge: .maximumSource, days: .utc))
            #expect(result.intervals.map(\.mostRecent) == [1000])
        }
    }

    @Test(
        "by intervals that begin long before the first sample count from there",
        arguments: CalendarUnit.allCases)
    func longBefore(_ unit: CalendarUnit) async throws {
        var document = TestDocument()
        document.add("5", from: Self.june, to: Self.june + 60)
        let range = QueryTimeRange.since("1900-01-31")
        for count in [1, 7] {
            let result = try await document.store.statistics(
                StatisticsQuery(.stepCount, by: .every(count, unit), in: range, days: .utc))
            let interval = try #require(result.intervals.first)
            #expect(Array(result.intervals).count == 1 && interval.sum == 5)
            #expect(interval.start.seconds <= Self.june && Self.june < interval.end.seconds)
            let anchor = range.resolved(.utc, now: 0).lowerBound
            let isWhole = (0..<2_000_000).contains {
                Days.utc.instant($0 * count, unit, after: anchor) == interval.start.seconds
            }
            #expect(isWhole)
        }
    }

    @Test("by intervals of their own are partial only if something is cut off", arguments: 13...16)
    func lastInterval(_ count: Int) async throws {
        var document = TestDocument()
        for day in 0..<20 { document.add("5", from: Self.june + day * 86400) }
        let last = CivilDate(daysSince1970: Self.june / 86400 + count - 1)
        let range = QueryTimeRange.between("2024-06-01", .day(last))
        let result = try await document.store.statistics(
            StatisticsQuery(.stepCount, by: .every(7, .day), in: range, days: .utc))
        let partial = result.intervals.map(\.isPartial)
        let expected =
            count == 14 ? [false, false] : count < 14 ? [false, true] : [false, false, true]
        #expect(partial == expected)
    }

    @Test("by hours are possible where clocks change by half an hour")
    func halfHours() async throws {
        let days = try #require(try Days(zoneText: "Australia/Lord_Howe"))
        var document = TestDocument()
        // Clocks went from 2:00 to 2:30 on 2023-10-01, and from 2:00 back to 1:30 on 2024-04-07.
        for change in [1_696_087_800, 1_712_415_600] {
            for minutes in stride(from: -120, to: 120, by: 15) {
                document.add("1", from: change + minutes * 60)
            }
        }
        let result = try await document.store.statistics(
            StatisticsQuery(.stepCount, by: .calendar(.hour), days: days))
        #expect(result.intervals.reduce(0) { $0 + ($1.sum ?? 0) } == 32)
        for (left, right) in zip(result.intervals, result.intervals.dropFirst()) {
            #expect(left.start < right.start && left.end.seconds <= right.start.seconds)
        }
    }
}
