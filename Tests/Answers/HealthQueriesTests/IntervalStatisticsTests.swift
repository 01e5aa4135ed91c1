import ByteText
import HealthModel
import HealthQueries
import HealthStoreTesting
import Testing

@Suite("Statistics of samples that arrive in order")
struct IntervalStatisticsTests {
    /// Spans of a month each, whose samples overlap their ends, days and each other.
    @Test("are, of each day, those of a query for it alone", arguments: 0..<12)
    func sameAsQueries(seed: Int) async throws {
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
        let resolved = range.resolved(in: try await store.contents(), days: days)
        var statistics = try IntervalStatistics(query, days: days, in: resolved)
        var found: [Statistics] = []
        for try await samples in store.spans(of: [type.erased], in: range, lookback: 31 * 86400, days: days) {
            let quantities = try #require(samples.converted(to: QuantitySample.self))
            try statistics.append(quantities) { found.append($0) }
        }
        try statistics.finish { found.append($0) }
        #expect(found.count > 40 && found.map(\.start) == found.map(\.start).sorted())
        #expect(Array(try await store.statistics(query).intervals).map(\.start) == found.map(\.start))
        let whole = found.filter { !$0.isPartial }
        for own in whole.dropFirst(seed % 7).enumerated().filter({ $0.offset % 7 == 0 }).map(\.element) {
            // What reaches into the day from others is divided where the day begins and ends.
            var alone = query
            alone.range = .between(.instant(own.start), .instant(own.end))
            let day = try #require(try await store.statistics(alone).intervals.first)
            #expect(own.start == day.start && own.end == day.end && own.count == day.count)
            for option in StatisticsOption.standard(for: type.erased) {
                #expect(abs((own[option] ?? 0) - (day[option] ?? 0)) < 1e-6)
            }
        }
        if merge == .none, type.erased == .stepCount {
            let raw = statistics.sources.reduce(0) { $0 + $1.sum }
            #expect(abs(raw - found.reduce(0) { $0 + ($1.sum ?? 0) }) < 1e-6)
        }
    }
}
