import ByteText
import HealthModel
import HealthQueries
import Testing

@Suite("Statistics of a category")
struct CategoryStatisticsTests {
    private static let june = TestDocument.june
    private static let hour = 3600
    private static let day = 86_400

    private static func mindful(_ times: [(start: Int, end: Int, source: String)]) -> TestDocument {
        var document = TestDocument()
        for (start, end, source) in times {
            document.add(
                "HKCategoryTypeIdentifierMindfulSession", "HKCategoryValueNotApplicable", from: june + start,
                to: june + end, source: source, unit: nil)
        }
        return document
    }

    @Test("count time that several samples cover once, on the day on which the one that counts starts")
    func overlap() async throws {
        let document = Self.mindful([
            // Two apps recorded the same minute, and one of them a session over midnight.
            (Self.hour, Self.hour + 60, "Phone"), (Self.hour + 30, Self.hour + 90, "Watch"),
            (Self.day - 300, Self.day + 300, "Watch"), (Self.day + 100, Self.day + 400, "Phone"),
        ])
        let result = try await document.store.statistics(of: .mindfulSession, days: .utc)
        #expect(result.intervals.map(\.count) == [3, 1] && result.intervals.map(\.duration) == [690, 100])
        #expect(result.values.isEmpty && result.sources == ["Watch", "Phone"])
        let phone = try await document.store.statistics(of: .mindfulSession, priority: ["phone"], days: .utc)
        #expect(phone.intervals.map(\.duration) == [690 - 200, 300] && phone.sources == ["Phone", "Watch"])
        let month = try await document.store.statistics(of: .mindfulSession, by: .month, days: .utc)
        #expect(month.intervals.map(\.duration) == [790] && month.intervals.map(\.count) == [4])
        // What starts before the time has covered a part of it.
        let second = try await document.store.statistics(
            of: .mindfulSession, in: .day("2024-06-02"), days: .utc)
        #expect(second.intervals.map(\.duration) == [100] && second.intervals.map(\.isPartial) == [false])
    }

    @Test("have the hours and the number of each value")
    func values() async throws {
        var document = TestDocument()
        for number in 0..<24 {
            document.add(
                "HKCategoryTypeIdentifierAppleStandHour",
                "HKCategoryValueAppleStandHour" + (number % 3 == 0 ? "Stood" : "Idle"),
                from: Self.june + number * Self.hour, to: Self.june + (number + 1) * Self.hour, unit: nil)
        }
        document.add(
            "HKCategoryTypeIdentifierAppleStandHour", "HKCategoryValueAppleStandHourElse",
            from: Self.june + Self.day, to: Self.june + Self.day + 60, unit: nil)
        let result = try await document.store.statistics(of: .appleStandHour, days: .utc)
        #expect(result.values.map(\.title) == ["stood", "idle"])
        #expect(result.intervals.map(\.counts) == [[8, 16], [0, 0]])
        #expect(result.intervals.map(\.seconds) == [[8 * Self.hour, 16 * Self.hour], [0, 0]])
        #expect(result.intervals.map(\.duration) == [Self.day, 60])
        #expect(result.intervals.map(\.count) == [24, 1])
    }

    @Test("leave out samples that have no start or last for more than a year, and say so")
    func omissions() async throws {
        let document = Self.mindful([
            (0, 367 * Self.day, "Watch"), (Self.hour, Self.hour + 60, "Watch"),
            (Self.hour, Self.hour, "Phone"),
        ])
        let result = try await document.store.statistics(of: .mindfulSession, days: .utc)
        #expect(result.overlong == 1 && result.intervals.map(\.count) == [2])
        #expect(result.intervals.map(\.duration) == [60])
        #expect(try await TestDocument().store.statistics(of: .mindfulSession).intervals.isEmpty)
    }

    @Test("are those of counting seconds", arguments: 0..<12)
    func counting(seed: Int) async throws {
        var dice = Dice(UInt64(seed))
        var items: [(start: Int, end: Int, source: Int, severe: Bool)] = []
        for _ in 0..<60 {
            let start = Int.random(in: 0..<4 * 800, using: &dice) * 27 * 4
            let length = [0, 100, 5000, 90_000][Int.random(in: 0..<4, using: &dice)]
            items.append(
                (start, start + length, Int.random(in: 0..<3, using: &dice), Bool.random(using: &dice)))
        }
        let names = ["Watch", "iPhone", "Other"]
        var document = TestDocument()
        for item in items {
            document.add(
                "HKCategoryTypeIdentifierHeadache",
                "HKCategoryValueSeverity" + (item.severe ? "Severe" : "Mild"),
                from: Self.june + item.start, to: Self.june + item.end, source: names[item.source], unit: nil)
        }
        // Every four seconds: each moment counts for the sample with the best source, value and start.
        var seconds: [Int: [Int]] = [:]
        for moment in stride(from: 0, to: 6 * Self.day, by: 4) {
            let covering = items.filter { $0.start <= moment && moment < $0.end }
            let best = covering.min { left, right in
                (left.source, left.severe ? 1 : 0, left.start) < (
                    right.source, right.severe ? 1 : 0, right.start
                )
            }
            if let best {
                seconds[best.start / Self.day, default: [0, 0]][best.severe ? 1 : 0] += 4
            }
        }
        let result = try await document.store.statistics(of: .headache, days: .utc)
        let mild = try #require(result.values.firstIndex { $0.title == "mild" })
        let severe = try #require(result.values.firstIndex { $0.title == "severe" })
        for interval in result.intervals {
            let day = (interval.start.seconds - Self.june) / Self.day
            let expected = seconds[day] ?? [0, 0]
            #expect([interval.seconds[mild], interval.seconds[severe]] == expected)
            #expect(interval.duration == expected[0] + expected[1])
            #expect(interval.count == items.count { $0.start / Self.day == day })
        }
        #expect(
            Set(seconds.keys).isSubset(of: result.intervals.map { ($0.start.seconds - Self.june) / Self.day })
        )
    }
}
