import ByteText
import HealthModel
import HealthQueries
import HealthStoreTesting
import Testing

@Suite("Trends and correlations")
struct TrendTests {
    private static let june = TestDocument.june
    private static let rest = "HKQuantityTypeIdentifierRestingHeartRate"

    @Test("are medians of days, with the number of days behind each")
    func medians() async throws {
        var document = TestDocument()
        for (day, value) in [(0, 60), (1, 90), (2, 61), (30, 50), (31, 52)] {
            document.add(Self.rest, "\(value)", from: Self.june + day * 86400, unit: "count/min")
        }
        let values = try await document.store.dailyValues(of: .restingHeartRate, days: .utc)
        let trend = values.trend()
        #expect(trend.map(\.start) == ["2024-06-01", "2024-07-01"])
        #expect(trend.map(\.median) == [61, 51] && trend.map(\.days) == [3, 2])
        #expect(trend.map(\.change) == [nil, -10])
        #expect(values.trend(by: .year).map(\.median) == [60])
    }

    @Test("compare ranks, so that one day far off changes little")
    func ranks() async throws {
        var document = TestDocument()
        for day in 0..<10 {
            let start = Self.june + day * 86400
            document.add("\(day == 9 ? 100_000 : day * 10)", from: start, to: start + 60)
            if day != 4 { document.add(Self.rest, "\(90 - day)", from: start, unit: "count/min") }
        }
        let steps = try await document.store.dailyValues(of: .stepCount, days: .utc)
        let rates = try await document.store.dailyValues(of: .restingHeartRate, days: .utc)
        let result = DailyCorrelation(steps, rates)
        #expect(result.n == 9 && result.unpaired == 1)
        #expect(abs((result.coefficient ?? 0) + 1) < 1e-12)
        #expect(DailyCorrelation(steps, rates, lag: 1).n == 8)
        #expect(DailyCorrelation(steps, rates, lag: 300).coefficient == nil)
    }

    @Test("a period without an end is compared up to the day before the export")
    func period() async throws {
        var document = TestDocument()
        for day in [0, 1, 29, 30] { document.add("100", from: Self.june + day * 86400) }
        let store = document.store
        let values = try await store.dailyValues(of: .stepCount, days: .utc)
        let contents = try await store.contents()
        func compared(_ range: QueryTimeRange) -> ComparedPart? {
            PeriodComparison(values, in: range, of: contents, with: .lastYear)?.whole.part
        }
        // It was made on 1 July.
        let year = try #require(compared(.ever))
        #expect(year.first == "2024-01-01" && year.last == "2024-06-30" && year.daysWithData == 3)
        let since = try #require(compared(.since(.day("2024-06-02"))))
        #expect(since.first == "2024-06-02" && since.last == "2024-06-30")
        let until = try #require(compared(.until(.day("2024-07-01"))))
        #expect(until.first == "2024-06-01" && until.last == "2024-07-01" && until.isPartial)
        #expect(compared(.since(.day("2024-07-01"))) == nil)
    }

    @Test("intervals are ordered by a value, and by time where it is the same")
    func order() async throws {
        var document = TestDocument()
        for (day, steps) in ["1", "3", "3", "2"].enumerated() {
            document.add(steps, from: Self.june + day * 86400)
        }
        let query = StatisticsQuery(.stepCount, days: .utc)
        let days = try await document.store.statistics(query).intervals.sorted(byValueOf: .sum)
        #expect(days.map { $0.start.day.day } == [2, 3, 4, 1])
    }
}
