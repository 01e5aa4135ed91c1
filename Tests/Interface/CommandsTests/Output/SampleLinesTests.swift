import ByteText
import ExportGenerator
import HealthFormats
import HealthModel
import HealthStoreTesting
import Tables
import Testing

@testable import Commands

/// Lines made of what rows have in common, against lines made of each sample by itself.
@Suite struct SampleLinesTests {
    @Test(
        "lines of CSV and JSON are those of the samples by themselves", arguments: [UnitChoice.source, .us])
    func sameLines(units: UnitChoice) async throws {
        var options = GeneratedExport.Options()
        options.xmlBytes = 120_000
        options.shape = .shuffled
        options.sideFiles = .none
        let store = InMemoryStore(GeneratedExport(options))
        var count = 0
        for type in try await store.contents().types.map(\.type) {
            let fields = SampleFields(type: type, units: units, time: LocalTime(days: .utc))
            var lines = SampleLines(fields)
            for sample in try await store.samples(SampleQuery(SampleType(type))).all() {
                var (csv, json): ([UInt8], [UInt8]) = ([], [])
                lines.appendCSV(sample, to: &csv)
                lines.appendJSON(sample, to: &json)
                #expect(csv == CSVCell.line(fields.csv(sample)))
                #expect(json == TerminalJSON.escaped(String(decoding: fields.json(sample), as: UTF8.self)))
                count += 1
            }
        }
        #expect(count > 100)
    }
}
