import FolderTesting
import HealthVault
import Testing

@Suite("The examples of key rings")
struct KeyRingExampleTests {
    @Test("make a ring, and open an archive with it")
    func ring() async throws {
        let folder = try TemporaryFolder()
        let keys = try TemporaryFolder()
        let written = try await ExampleArchive.write(in: folder.path)
        let archivePath = written + ".hvault"
        try OpenFolder(holding: written).rename(
            written.name, being: FileStatus(at: written), to: archivePath.name)
        let ringPath = folder.path / "study.keyring"
        let keyPath = keys.path / "study.key"
        let passphrase = HeldPassphrase(try ExampleArchive.passphrase())

        let maker = KeyRingMaker(folder: folder.path, target: ringPath, keyFile: keyPath)
        let report = try await maker.make { _ in try passphrase.copy() }
        #expect(report.count == 1 && report.failures.isEmpty && report.isKeyNew)

        let ring = try KeyRing(reading: ringPath, key: RingKey(reading: keyPath))
        let store = try ArchiveStore(container: archivePath, key: .keyRing(ring))
        #expect(try await store.sampleTypes().count > 1)
    }
}
