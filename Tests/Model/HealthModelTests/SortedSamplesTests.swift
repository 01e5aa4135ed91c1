import HealthModel
import Testing

@Suite("Samples in another order")
struct SortedSamplesTests {
    /// Returns samples with these values, and one without a value.
    private func samples(_ values: [Int]) async throws -> [AnySample] {
        var elements = values.map { value in
            TestRows.element(
                "Record",
                [
                    ("type", "HKQuantityTypeIdentifierHeartRate"), ("sourceName", "Watch"),
                    ("unit", "count/min"),
                    ("startDate", "2024-03-07 10:00:00 +0100"), ("value", String(value)),
                ])
        }
        elements.append(
            TestRows.element(
                "Record",
                [
                    ("type", "HKQuantityTypeIdentifierHeartRate"), ("startDate", "2024-03-07 10:00:00 +0100"),
                ]))
        let store = BatchStore(batch: TestRows.batch(elements))
        return try await store.samples(SampleQuery(SampleType<AnySample>(.heartRate))).all()
    }

    @Test("are the same with a limit as the first of all", arguments: [1, 3, 5000, 20_000])
    func limited(limit: Int) async throws {
        let values = (0..<10_000).map { $0 * 7919 % 10_007 }
        let all = try await samples(values)
        var (limited, unlimited) = (
            SortedSamples(by: .value, .heartRate, limit: limit), SortedSamples(by: .value, .heartRate)
        )
        for chunk in stride(from: 0, to: all.count, by: 700) {
            limited.append(all[chunk..<min(chunk + 700, all.count)])
            unlimited.append(all[chunk..<min(chunk + 700, all.count)])
        }
        let texts = unlimited.samples.map { $0.value ?? "" }
        #expect(texts.compactMap { Int($0) } == values.sorted(by: >) && texts.last == "")
        #expect(limited.samples.map { $0.value ?? "" } == Array(texts.prefix(limit)))
    }

    @Test("have identifiers of their own, however many start at one time")
    func identifiers() async throws {
        let all = try await samples(Array(repeating: 60, count: 3000))
        #expect(Set(all.map(\.id)).count == all.count)
    }
}
