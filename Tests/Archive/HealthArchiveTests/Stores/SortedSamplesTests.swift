import ByteText
import HealthModel
import HealthStoreTesting
import Testing

@testable import HealthArchive

@Suite("Samples in another order")
struct SortedSamplesTests {
    /// Returns a document of heart rates with few different values over some years, many of them twice or more often.
    private static func document(_ count: Int) -> String {
        var text = "<HealthData locale=\"en_GB\">\n"
        for number in 0..<count {
            let (year, day) = (2018 + number * 31 % 6, 1 + number * 7 % 28)
            let start = "\(year)-0\(1 + number % 9)-\(day < 10 ? "0" : "")\(day) 10:00:00 +0000"
            let value = number % 97 == 0 ? "" : " value=\"\(60 + number * 7919 % 41)\""
            let note = number % 5 == 0 ? "<MetadataEntry key=\"k\" value=\"\(number % 7)\"/>" : ""
            text +=
                " <Record type=\"HKQuantityTypeIdentifierHeartRate\" sourceName=\"Watch \(number % 3)\""
                + " unit=\"count/min\" startDate=\"\(number % 101 == 0 ? "" : start)\""
                + " endDate=\"\(start)\"\(value)>\(note)</Record>\n"
        }
        return text + "</HealthData>\n"
    }

    private static let store = InMemoryStore(document: document(12_000))
    private static let query = SampleQuery(SampleType<AnySample>(.heartRate))

    /// Returns the samples in an order, sorted in some memory.
    private func sorted(
        by sorting: SampleSorting, limit: Int? = nil, _ sizes: SortedSamples.Sizes
    ) async throws -> [AnySample] {
        var sorted = SortedSamples(by: sorting, .heartRate, limit: limit, sizes: sizes)
        for try await samples in Self.store.samples(Self.query) { try sorted.append(samples) }
        var found: [AnySample] = []
        while let sample = try sorted.next() { found.append(sample) }
        #expect(found.count == sorted.count)
        return found
    }

    /// Memory for so little that there are dozens of runs, some of which are merged before the end.
    private static let little = [
        SortedSamples.Sizes(run: 40_000, chunk: 4_000, chunks: .max),
        SortedSamples.Sizes(run: 40_000, chunk: 4_000, chunks: 30_000),
        SortedSamples.Sizes(run: 200_000, chunk: 1, chunks: 20_000),
    ]

    @Test(
        "are those of one sort, with their identifiers, however little memory there is",
        arguments: SampleSorting.allCases)
    func runs(sorting: SampleSorting) async throws {
        var all = try await Self.store.samples(Self.query).all()
        #expect(all.count == 12_000 && Set(all.map(\.id)).count == all.count)
        all.sort { left, right in
            let (mine, theirs) = (sorting.key(of: left, .heartRate), sorting.key(of: right, .heartRate))
            let (start, other) = (left.startDate?.seconds ?? .min, right.startDate?.seconds ?? .min)
            return mine != theirs ? mine < theirs : (start, left.position) < (other, right.position)
        }
        for sizes in [SortedSamples.Sizes()] + Self.little {
            for limit in [nil, 1, 300, 11_999] {
                let found = try await sorted(by: sorting, limit: limit, sizes)
                let expected = Array(all.prefix(limit ?? .max))
                #expect(found.map(\.position) == expected.map(\.position))
                #expect(found.map(\.id) == expected.map(\.id) && found == expected)
            }
        }
    }
}
