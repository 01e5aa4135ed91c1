import CivilTime
import HealthModel
import HealthStoreTesting
import Testing

@testable import HealthQueries

@Suite("Packed quantities")
struct PackedQuantityTests {
    private static let values = [
        "61", "0", "-0", "61.5", "0.25", "-3.5", "1e300", "4.9e-324", "0.1", "98.6", "1234567.891", "0.00001",
        "179769313486231570000", "3.141592653589793",
    ]

    /// Returns the samples of a document with these values, some of which last and some of which start together.
    private func columns(_ count: Int, _ values: [String] = values) async throws -> QuantityColumns {
        var text = "<HealthData locale=\"en_GB\">\n"
        for number in 0..<count {
            let minute = number / 7 % 60
            let hour = number / 420 % 24
            let day = 1 + number / 10_080
            func time(_ second: Int) -> String {
                let parts = [day, hour, minute, second].map { $0 < 10 ? "0\($0)" : String($0) }
                return "2023-05-\(parts[0]) \(parts[1]):\(parts[2]):\(parts[3]) +0000"
            }
            text +=
                " <Record type=\"HKQuantityTypeIdentifierHeartRate\" sourceName=\"Watch \(number % 40)\""
                + " unit=\"count/min\" startDate=\"\(time(1))\" endDate=\"\(time(number % 50 + 1))\""
                + " value=\"\(values[number * 31 % values.count])\"/>\n"
        }
        var columns = QuantityColumns(unit: .count / .minute)
        for try await samples in InMemoryStore(document: text + "</HealthData>\n").samples(.heartRate) {
            columns.append(samples)
        }
        return columns
    }

    private func samples(_ rows: QuantityRows) -> [PackedQuantities.Sample] {
        var (pass, samples): (QuantityRows.Iterator, [PackedQuantities.Sample]) = (rows.makeIterator(), [])
        while let sample = pass.next() { samples.append(sample) }
        return samples
    }

    @Test("are the samples that were packed, to the last bit")
    func same() async throws {
        let columns = try await columns(50_000)
        let plain = samples(QuantityRows(columns))
        #expect(plain.count == 50_000 && Set(plain.map(\.value)).count > 10)
        var rows = QuantityRows(columns)
        rows.pack()
        #expect(
            rows.columns.count == 0 && rows.packedSize < 50_000 * 14 + (1 << 16))
        let packed = samples(rows)
        #expect(packed.map(\.value.bitPattern) == plain.map(\.value.bitPattern))
        #expect(packed == plain && rows.firstStart == plain.first?.start)
        rows.pack()
        #expect(samples(rows) == plain)
    }

    @Test("are short again after one of many digits")
    func oddValue() async throws {
        let values = ["3.141592653589793"] + [String](repeating: "98.6", count: 999)
        var rows = QuantityRows(try await columns(50_000, values))
        rows.pack()
        #expect(rows.packedSize < 50_000 * 8)
    }

    @Test("give the same statistics")
    func statistics() async throws {
        let columns = try await columns(20_000)
        var rows = QuantityRows(columns)
        rows.pack()
        let query = StatisticsQuery(
            .heartRate, [.average, .minimum, .maximum, .mostRecent], by: .calendar(.hour))
        let results = [QuantityRows(columns), rows].map { rows in
            StatisticsResult(query, rows, .utc, .min ..< .max, query.effectiveOptions, now: nil)
        }
        #expect(Array(results[0].intervals) == Array(results[1].intervals))
        #expect(!results[0].intervals.isEmpty && results[0].sources == results[1].sources)
    }
}
