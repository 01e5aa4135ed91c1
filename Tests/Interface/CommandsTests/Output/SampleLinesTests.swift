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
            let table = QueryTable.table(type, units, LocalTime(days: .utc))
            var lines = SampleLines(table, type, units, .utc)
            for sample in try await store.samples(SampleQuery(SampleType(type))).all() {
                var (csv, json): ([UInt8], [UInt8]) = ([], [])
                lines.appendCSV(sample, to: &csv)
                lines.appendJSON(sample, to: &json)
                #expect(csv == table.csvLine(sample))
                #expect(json == TerminalJSON.escaped(table.object(sample).cellText))
                count += 1
            }
        }
        #expect(count > 100)
    }
}
