import FolderTesting
import HealthArchive
import HealthExport
import SystemIO
import Testing

@Suite("A check of a plain folder")
struct FolderCheckTests {
    @Test("finds a file that was changed, and one that is missing")
    func changes() async throws {
        let folder = try TemporaryFolder()
        let target = folder.path + "/plain"
        _ = try await Exporter(source: Fixtures.root + "/exports/version-14.xml", target: target)
            .exportFolder()
        let victim = try #require(
            try TemporaryFolder.contents(of: target).keys.sorted().first { $0.hasSuffix(".ndjson") })
        let file = try FileDescriptor(opening: target + "/" + victim, .update)
        try file.write(Array("#".utf8).span, at: 3)
        #expect(try await Verifier(archive: target).verifyFolder().problems == [.changedFile(path: victim)])
        try TemporaryFolder.remove(target + "/" + victim)
        #expect(try await Verifier(archive: target).verifyFolder().problems == [.missingFile(path: victim)])
    }

    @Test("finds that a source is another one")
    func otherSource() async throws {
        let folder = try TemporaryFolder()
        let target = folder.path + "/plain"
        _ = try await Exporter(source: Fixtures.root + "/exports/version-14.xml", target: target)
            .exportFolder()
        var verifier = Verifier(archive: target)
        verifier.source = Fixtures.root + "/exports/version-13.xml"
        #expect(try await verifier.verifyFolder().isClean == false)
    }
}
