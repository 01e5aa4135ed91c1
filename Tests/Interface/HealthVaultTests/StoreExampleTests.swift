import ExportGenerator
import FolderTesting
import HealthStoreTesting
import HealthVault
import Testing

/// A store as another program might have one.
private struct MyStore: HealthStore {
    private let base = InMemoryStore(ExampleArchive.export)

    func contents() async throws -> StoreContents { try await base.contents() }
    func fingerprint() async throws -> StoreFingerprint { try await base.fingerprint() }
    func batches(_ query: BatchQuery) -> BatchSequence { base.batches(query) }
}

@Suite("The examples about stores")
struct StoreExampleTests {
    @Test("read an archive")
    func archive() async throws {
        let folder = try TemporaryFolder()
        let path = try await ExampleArchive.write(in: folder.path)
        let passphrase = try ExampleArchive.passphrase()
        var total = 0.0

        let store = try ArchiveStore(container: path, key: .passphrase(passphrase))
        for try await samples in store.samples(.heartRate) {
            for sample in samples {
                total += sample.value ?? 0
            }
        }
        #expect(total > 0)
    }

    @Test("check a store of another program")
    func conformance() async throws {
        let problems = try await StoreConformance(MyStore()).problems()
        #expect(problems == [])
    }
}
