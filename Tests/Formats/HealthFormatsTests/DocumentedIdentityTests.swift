import FolderTesting
import HealthFormats
import SampleBatches
import SystemIO
import Testing

@Suite("The identities in the documentation")
struct DocumentedIdentityTests {
    private func page(_ path: BytePath) throws -> String {
        String(decoding: try TemporaryFolder.bytes(Fixtures.root.parent / path), as: UTF8.self)
    }

    @Test("are those of the batch and of the line that they are given for")
    func examples() throws {
        let formats = try page("Sources/Interface/HealthVault/HealthVault.docc/Formats.md")
        let security = try page("SECURITY.md")
        let start = try #require(security.firstRange(of: "{\"format\":\"healthvault batch 1\"")).lowerBound
        let end = try #require(security[start...].firstRange(of: "```")).lowerBound
        var reader = StoredBatchReader()
        let batch = try reader.identity(of: Array(security[start..<end].utf8))
        #expect(batch.sum.count == 3)
        #expect(formats.contains("section 21) have the sum `\(batch.sum.hexadecimal)`"))

        let line = "{\"element\":\"HealthData\",\"position\":0,\"locale\":\"en_GB\"}"
        let key = SampleBatch.Key(element: "HealthData", type: "", span: "all", part: 1)
        let row = try NDJSONReader.read(Array((line + "\n").utf8), key: key).identitySum()
        #expect(formats.contains("`\(line)` has the identity `\(row.hexadecimal)`"))
    }
}
