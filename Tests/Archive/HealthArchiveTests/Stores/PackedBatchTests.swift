import AppleHealthExport
import ExportGenerator
import HealthFormats
import HealthModel
import SampleBatches
import SystemIO
import Testing

@testable import HealthArchive

@Suite("Batches that wait until they are read")
struct PackedBatchTests {
    // SECURITY.md: "those of an archive are read from it, and wait in such a file only where a program asks"
    // SECURITY.md: "So do the samples of an export of the Health app from which anything is answered, drawn"
    @Test(
        "have the same samples in memory and in the unnamed file, which takes what memory does not",
        arguments: [0, 2000, .max])
    func places(mostInMemory: Int) async throws {
        let document = ExportDocument(name: "generated", facts: StoreFingerprint()) {
            GeneratedDocument(StoreUnderTest.export)
        }
        var pass = try ExportPass(
            document, BatchQuery(batchSize: .byMonth), inspecting: false, on: .toReadAhead
        ) { _, _ in }
        var packer = try PackedBatch.Packer(mostInMemory: mostInMemory)
        var (batches, packed): ([SampleBatch], [PackedBatch]) = ([], [])
        reading: while true {
            switch try await pass.step() {
            case .batch(let batch):
                batches.append(try batch.columns.samples())
                packed.append(try packer.pack(batch))
            case .reading: continue
            case .end: break reading
            }
        }
        let bytesInMemory = packer.bytesInMemory
        #expect(bytesInMemory <= mostInMemory)
        #expect(mostInMemory < .max || bytesInMemory > 2000)
        for (batch, packed) in zip(batches, packed).reversed() {
            #expect(try packed.samples().samples.map(\.row) == batch.samples.map(\.row))
        }
    }
}
