import CivilTime
import HealthModel
import HealthQueries
import HealthStoreTesting
import HealthTypes
import Testing

@Suite("Statistics by day of samples that arrive in order")
struct DailyStatisticsTests {
    /// Spans of a month each, whose samples overlap their ends, days and each other.
    @Test("are those of a query over all samples", arguments: 0..<12)
    func sameAsQuery(seed: Int) async throws {
        var dice = Dice(UInt64(seed))
        var document = TestDocument()
        let (type, name): (SampleType<QuantitySample>, String) =
            seed % 2 == 0
            ? (.stepCount, "HKQuantityTypeIdentifierStepCount")
            : (.heartRate, "HKQuantityTypeIdentifierHeartRate")
        for _ in 0..<600 {
            let start = TestDocument.june + Int.random(in: 0..<100 * 86400, using: &dice)
            let length = [0, 300, 7200, 3 * 86400].randomElement(using: &dice) ?? 0
            document.add(
                name, "\(Int.random(in: 40...180, using: &dice))", from: start, to: start + length,
                source: ["Watch", "iPhone", "Other"].randomElement(using: &dice) ?? "",
                unit: seed % 2 == 0 ? "count" : "count/min")
        }
        let store = document.store
        let days = Days(offsetMinutes: 330)
        let merge = [SourceMerge.priority(), .maximumSource, .none, .priority(["Other"])][seed % 4]
        let range =
            seed % 3 == 0
            ? QueryTimeRange.ever
            : .between(
                .instant(Timestamp(seconds: TestDocument.june + 20 * 86400, offsetMinutes: 0)),
                .instant(Timestamp(seconds: TestDocument.june + 70 * 86400, offsetMinutes: 0)))
        let query = StatisticsQuery(type, in: range, merge: merge, days: days)
        let expected = try await store.statistics(query)
        let resolved = range.resolved(in: try await store.contents(), days: days)
        var statistics = try DailyStatistics(query, days: days, in: resolved)
        var found: [Statistics] = []
        for try await samples in store.spans(of: [type.erased], in: range, lookback: 31 * 86400, days: days) {
            let quantities = try #require(samples.converted(to: QuantitySample.self))
            try statistics.append(quantities) { found.append($0) }
        }
        try statistics.finish { found.append($0) }
        #expect(found.count == Array(expected.intervals).count)
        for (own, other) in zip(found, expected.intervals) {
            #expect(own.start == other.start && own.end == other.end && own.count == other.count)
            for option in StatisticsOption.standard(for: type.erased) {
                #expect(abs((own[option] ?? 0) - (other[option] ?? 0)) < 1e-6)
            }
        }
        if merge == .none, type.erased == .stepCount {
            let raw = statistics.sources.reduce(0) { $0 + $1.sum }
            #expect(abs(raw - expected.intervals.reduce(0) { $0 + ($1.sum ?? 0) }) < 1e-6)
        }
    }
}
