import ByteText
import HealthModel
import HealthQueries
import HealthStoreTesting
import SystemIO
import Testing

@Suite("Rows of analytics")
struct AnalyticsRowTests {
    private static let june = TestSamples.june
    private static let hour = 3600

    /// Computes the rows of days in UTC.
    private static func days(
        _ samples: TestSamples, _ settings: AnalyticsSettings = AnalyticsSettings(days: .utc)
    ) throws -> [AnalyticsRow] {
        try withDatabase { path in
            let library = try HealthStatsLibrary(creating: path, settings)
            try library.initializeDatabase(for: library.createUser(birthdate: nil), from: samples.store)
            return try library.getAllDailyAnalytics().reversed()
        }
    }

    @Test("count a walk that watch and phone recorded once")
    func mergedSources() throws {
        var samples = TestSamples()
        samples.steps("1000", Self.june, Self.june + 600)
        samples.steps("1200", Self.june, Self.june + 1200, source: "iPhone")
        let day = try #require(try Self.days(samples).first)
        #expect(day.steps == 1600 && day[.steps]?.n == 2 && day[.steps]?.sources == ["Watch", "iPhone"])
        let naive = try Self.days(samples, AnalyticsSettings(days: .utc, merge: .none))
        #expect(naive.first?.steps == 2200)
        let greatest = try Self.days(samples, AnalyticsSettings(days: .utc, merge: .maximumSource))
        #expect(greatest.first?.steps == 1200 && greatest.first?[.steps]?.sources == ["iPhone"])
    }

    @Test(
        "integrate the heart rate over the time that measurements cover, also of measurements at one instant")
    func heartbeats() throws {
        var samples = TestSamples()
        // Five minutes at 60, then ten minutes at 90, after which the watch was not worn.
        samples.add("HeartRate", "60", Self.june, Self.june, unit: "count/min")
        samples.add("HeartRate", "90", Self.june + 300, Self.june + 300, unit: "count/min")
        // A measurement with a duration, over midnight.
        let midnight = Self.june + 86400
        samples.add("HeartRate", "100", midnight - 60, midnight + 120, unit: "count/min")
        let days = try Self.days(samples)
        #expect(days.map(\.heartbeats) == [300 + 900 + 100, 200])
        #expect(days.map { $0[.heartbeats]?.coveredSeconds } == [300 + 600 + 60, 120])
    }

    @Test(
        "count measurements of a source at one instant as one, with their mean",
        arguments: [["60", "120"], ["120", "60"]])
    func equalInstants(rates: [String]) throws {
        var samples = TestSamples()
        for rate in rates { samples.add("HeartRate", rate, Self.june, Self.june, unit: "count/min") }
        // Another source's, which counts only while the first one's does not.
        samples.add("HeartRate", "180", Self.june, Self.june, unit: "count/min", source: "Other")
        samples.add("HeartRate", "70", Self.june + 60, Self.june + 60, unit: "count/min")
        let day = try #require(try Self.days(samples).first)
        #expect(day.heartbeats == 90 + 700 && day[.heartbeats]?.coveredSeconds == 660)
        #expect(day[.heartbeats]?.n == 2 && day[.heartbeats]?.sources == ["Watch"])
    }

    @Test("count sleep of all trackers once, on the day on which the night ends, and time in bed apart")
    func sleep() throws {
        var samples = TestSamples()
        let evening = Self.june + 22 * Self.hour
        samples.sleep("InBed", evening, evening + 9 * Self.hour, source: "iPhone")
        samples.sleep("AsleepCore", evening + Self.hour, evening + 4 * Self.hour)
        samples.sleep("AsleepDeep", evening + 3 * Self.hour, evening + 5 * Self.hour)
        samples.sleep("Awake", evening + 5 * Self.hour, evening + 6 * Self.hour)
        samples.sleep("AsleepREM", evening + 6 * Self.hour, evening + 7 * Self.hour)
        // A second tracker that saw the same night.
        samples.sleep("AsleepUnspecified", evening + Self.hour, evening + 4 * Self.hour, source: "Ring")
        let days = try Self.days(samples)
        let day = try #require(days.first)
        #expect(days.count == 1 && day.date == "2024-06-02")
        #expect(day.sleepTotal == 5 * 60 && day.sleepDeep == 120 && day.sleepREM == 60)
        #expect(day.timeInBed == 9 * 60)
        #expect(day[.sleepTotal]?.sources == ["Ring", "Watch"] && day[.timeInBed]?.sources == ["iPhone"])
    }

    @Test("count one stage at a time, as sessions do, if two trackers disagree")
    func disagreement() throws {
        var samples = TestSamples()
        samples.sleep("AsleepDeep", Self.june, Self.june + 2 * Self.hour)
        samples.sleep("AsleepREM", Self.june + Self.hour, Self.june + 4 * Self.hour, source: "Ring")
        let day = try #require(try Self.days(samples).first)
        #expect(day.sleepTotal == 240 && day.sleepDeep == 120 && day.sleepREM == 120)
        #expect(day[.sleepREM]?.n == 1 && day[.sleepREM]?.sources == ["Ring"])
    }

    @Test("have no stages of a night whose source does not tell them apart")
    func unspecifiedSleep() throws {
        var samples = TestSamples()
        samples.sleep("AsleepUnspecified", Self.june, Self.june + 7 * Self.hour)
        let day = try #require(try Self.days(samples).first)
        #expect(day.sleepTotal == 420 && day.sleepDeep == nil && day.sleepREM == nil && day.timeInBed == nil)
    }

    @Test("have nothing instead of zero where there are no data, and no rows for days without any")
    func noData() throws {
        var samples = TestSamples()
        samples.steps("0", Self.june, Self.june + 60)
        samples.steps("5", Self.june + 10 * 86400, Self.june + 10 * 86400 + 60)
        let days = try Self.days(samples)
        #expect(days.map(\.date) == ["2024-06-01", "2024-06-11"])
        #expect(days[0].steps == 0 && days[0].energyActive == nil && days[0].runningDistance == nil)
    }

    @Test("have no whole number where none is large enough")
    func absurdSteps() throws {
        var samples = TestSamples()
        samples.steps("1e30", Self.june, Self.june + 60)
        let day = try #require(try Self.days(samples).first)
        #expect(day.steps == nil && day[.steps]?.value == 1e30)
    }

    @Test("add up fractions and round once")
    func rounding() throws {
        var samples = TestSamples()
        for number in 0..<60 {
            samples.add(
                "AppleExerciseTime", "0.5", Self.june + number * 60, Self.june + number * 60 + 30, unit: "min"
            )
        }
        #expect(try Self.days(samples).first?.exerciseMinutes == 30)
    }

    @Test("split running from walking by running workouts")
    func running() throws {
        var samples = TestSamples()
        samples.add("DistanceWalkingRunning", "1", Self.june, Self.june + 1000, unit: "km")
        samples.add("DistanceWalkingRunning", "2", Self.june + 1000, Self.june + 2000, unit: "km")
        samples.run(Self.june + 500, Self.june + 1500)
        samples.run(Self.june + 1200, Self.june + 2000)
        let day = try #require(try Self.days(samples).first)
        #expect(abs((day.walkingDistance ?? 0) - 500) < 1e-9 && abs((day.runningDistance ?? 0) - 2500) < 1e-9)
        #expect(day[.walkingDistance]?.n == 1 && day[.runningDistance]?.n == 2)
    }

    @Test("are about weeks from Monday or from another day, with the sums of their days")
    func weeks() throws {
        var samples = TestSamples()
        // Friday 31 May to Thursday 13 June.
        for day in -1..<13 {
            samples.steps("\(day + 2)", Self.june + day * 86400, Self.june + day * 86400 + 60)
        }
        for (weekday, starts) in [
            (Weekday.monday, ["2024-06-10", "2024-06-03", "2024-05-27"] as [CivilDate]),
            (.sunday, ["2024-06-09", "2024-06-02", "2024-05-26"]),
        ] {
            try withDatabase { path in
                let library = try HealthStatsLibrary(
                    creating: path, AnalyticsSettings(days: .utc, firstWeekday: weekday))
                try library.initializeDatabase(for: library.createUser(birthdate: nil), from: samples.store)
                let weeks = try library.getAllWeeklyAnalytics()
                #expect(weeks.map(\.startDate) == starts)
                #expect(weeks.reduce(0) { $0 + ($1.steps ?? 0) } == 105)
                // Only weeks that lie completely in the range.
                #expect(
                    try library.getWeeklyAnalytics(from: .day(starts[2]), to: .day(starts[0])).map(
                        \.startDate)
                        == [starts[2], starts[1]])
            }
        }
    }

    @Test("follow clock changes and moves between zones")
    func zones() throws {
        var samples = TestSamples()
        // 2024-03-31 has 23 hours in Berlin; the newest zone of the export decides.
        let start = 1_711_839_600
        samples.steps("240", start, start + 86400)
        samples.items[0].zone = "Europe/Berlin"
        try withDatabase { path in
            let library = try HealthStatsLibrary(creating: path)
            let user = try library.createUser(birthdate: nil)
            try library.initializeDatabase(for: user, from: samples.store)
            #expect(try library.getAllDailyAnalytics().map(\.steps) == [10, 230])
            // The next export comes from elsewhere, and all its days are days there.
            samples.steps("1", Self.june, Self.june + 60)
            samples.items[1].zone = "America/New_York"
            samples.exportDate = "2024-07-01 06:00:00 -0400"
            try library.updateMissingData(for: user, from: samples.store)
            #expect(try library.zone() == "America/New_York")
            #expect(try library.getAllDailyAnalytics().reversed().map(\.steps) == [50, 190, 1])
        }
    }

    @Test("equal statistics and nights of the same store", arguments: 0..<6)
    func statistics(seed: Int) async throws {
        var dice = Dice(UInt64(seed))
        let samples = TestSamples.random(400, &dice)
        let store = samples.store
        let merges: [SourceMerge] = [.priority(), .priority(["Other"]), .maximumSource, .none]
        let merge = merges[seed % merges.count]
        let days = try Self.days(samples, AnalyticsSettings(days: .utc, merge: merge))
        for (metric, type) in [
            (Metric.steps, SampleType<QuantitySample>.stepCount), (.energyActive, .activeEnergyBurned),
        ] {
            let result = try await store.statistics(
                StatisticsQuery(type, merge: merge, unit: metric.unit, days: .utc))
            let found = days.filter { $0[metric] != nil }
            #expect(found.map(\.date) == result.intervals.map { $0.start.day })
            for (row, interval) in zip(found, result.intervals) {
                let amount = try #require(row[metric])
                #expect(abs(amount.value - (interval.sum ?? -1)) < 1e-9 && amount.n == interval.count)
            }
        }
        let sessions = try await store.sleepSessions(days: .utc)
        for (metric, time) in [
            (Metric.sleepTotal, { $0.timeAsleep }), (.sleepDeep, { $0.duration(of: .asleepDeep) }),
            (.sleepREM, { $0.duration(of: .asleepREM) }), (.timeInBed, { $0.timeInBed }),
        ] as [(Metric, (SleepSession) -> Int)] {
            let seconds = sessions.reduce(into: [CivilDate: Int]()) {
                $0[$1.day(in: .utc), default: 0] += time($1)
            }
            let counted = days.filter { ($0[metric]?.value ?? 0) > 0 }.map(\.date)
            #expect(Set(counted) == Set(seconds.filter { $0.value > 0 }.keys))
            for row in days {
                guard let amount = row[metric] else { continue }
                #expect(abs(amount.value - Double(seconds[row.date] ?? -1) / 60) < 1e-9)
            }
        }
    }

    /// Returns whether a row has the sums of the days in it, each of which has one sample.
    private static func isSum(_ row: AnalyticsRow, of days: [AnalyticsRow]) -> Bool {
        let inside = days.filter { row.startDate <= $0.date && $0.date <= row.endDate }
        let amounts = inside.compactMap { $0[.steps] }
        let sum = amounts.reduce(0.0) { $0 + $1.value }
        return !amounts.isEmpty && row[.steps]?.value == sum && row[.steps]?.n == amounts.count
            && row[.steps]?.days == amounts.count
    }

    @Test("of weeks, months and years are the sums of their days, by whichever function they are returned")
    func longerPeriods() throws {
        var samples = TestSamples()
        samples.exportDate = "2026-02-01 12:00:00 +0000"
        // Days of three years, the first and the last ones of months and years among them.
        let offsets = [0, 1, 6, 29, 30, 200, 213, 214, 400, 578, 579]
        for (number, offset) in offsets.enumerated() {
            let start = Self.june + offset * 24 * Self.hour + Self.hour
            samples.steps("\(number + 1)", start, start + 60)
        }
        try withDatabase { path in
            let library = try HealthStatsLibrary(creating: path, AnalyticsSettings(days: .utc))
            try library.initializeDatabase(for: library.createUser(birthdate: nil), from: samples.store)
            let days = try library.getAllDailyAnalytics()
            let weeks = try library.getAllWeeklyAnalytics()
            let months = try library.getAllMonthlyAnalytics()
            let years = try library.getAllYearlyAnalytics()
            #expect(days.count == offsets.count)
            #expect(months.map(\.month) == [1, 12, 7, 1, 12, 7, 6])
            #expect(years.map(\.year) == [2026, 2025, 2024])
            for row in weeks { #expect(Self.isSum(row, of: days)) }
            for row in months { #expect(Self.isSum(row, of: days)) }
            for row in years { #expect(Self.isSum(row, of: days)) }
            #expect(try library.getLatestWeeklyAnalytics() == weeks.first)
            #expect(try library.getLatestMonthlyAnalytics() == months.first)
            #expect(try library.getLatestYearlyAnalytics() == years.first)
            for day in days.map(\.date) {
                let limit = TimeLimit.day(day)
                let week = try #require(try library.getWeeklyAnalytics(for: limit))
                #expect(week.startDate <= day && day <= week.endDate && weeks.contains(week))
                let month = try #require(try library.getMonthlyAnalytics(for: limit))
                #expect(month.year == day.year && month.month == day.month && months.contains(month))
                #expect(try library.getMonthlyAnalytics(year: day.year, month: day.month) == month)
                let year = try #require(try library.getYearlyAnalytics(for: limit))
                #expect(year.year == day.year && years.contains(year))
                #expect(try library.getYearlyAnalytics(for: day.year) == year)
                let inYear = try library.getMonthlyAnalytics(for: day.year)
                #expect(inYear.map(\.month) == months.filter { $0.year == day.year }.map(\.month).sorted())
                for row in inYear { #expect(months.contains(row)) }
            }
            #expect(try library.getWeeklyAnalytics(for: "2024-10-01") == nil)
            #expect(try library.getMonthlyAnalytics(year: 2024, month: 10) == nil)
            #expect(try library.getMonthlyAnalytics(for: 2023).isEmpty)
            #expect(try library.getYearlyAnalytics(for: 2023) == nil)
        }
    }
}

extension TestSamples {
    /// Returns random samples of several types and sources over three weeks.
    static func random(_ count: Int, _ dice: inout Dice) -> TestSamples {
        var samples = TestSamples()
        for _ in 0..<count { samples.items.append(item(&dice)) }
        return samples
    }

    /// Returns a random sample.
    static func item(_ dice: inout Dice) -> Item {
        // Over the ends of months, which stores may have as spans.
        let days = [0, 0, 16, 47][Int.random(in: 0..<4, using: &dice)]
        let start = june + (days * 86400) + Int.random(in: 0..<16 * 86400, using: &dice)
        let source = ["Watch", "iPhone", "Other"][Int.random(in: 0..<3, using: &dice)]
        let value = Int.random(in: 1...500, using: &dice)
        let end = start + (Bool.random(using: &dice) ? 0 : Int.random(in: 1...9000, using: &dice))
        switch Int.random(in: 0..<6, using: &dice) {
        case 0, 1:
            return Item(
                type: "HKQuantityTypeIdentifierStepCount", value: "\(value)", start: start, end: end,
                source: source)
        case 2:
            return Item(
                type: "HKQuantityTypeIdentifierActiveEnergyBurned", value: "\(Double(value) / 100)",
                start: start,
                end: end, source: source, unit: "kcal")
        case 3:
            return Item(
                type: "HKQuantityTypeIdentifierHeartRate", value: "\(40 + value / 4)", start: start,
                end: start,
                source: source, unit: "count/min")
        case 4:
            return Item(
                type: "HKQuantityTypeIdentifierDistanceWalkingRunning", value: "\(Double(value) / 1000)",
                start: start, end: end, source: source, unit: "km")
        default:
            let stages = ["InBed", "AsleepCore", "AsleepDeep", "AsleepREM", "Awake", "AsleepUnspecified"]
            return Item(
                type: "HKCategoryTypeIdentifierSleepAnalysis",
                value: "HKCategoryValueSleepAnalysis"
                    + stages[Int.random(in: 0..<stages.count, using: &dice)],
                start: start, end: end, source: source, unit: nil)
        }
    }
}
