import ByteText
import HealthModel
import HealthQueries
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
        #expect(values.trend(isYearly: true).map(\.median) == [60])
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
}
