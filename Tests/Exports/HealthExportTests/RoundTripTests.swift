import FolderTesting
import HealthArchive
import HealthExport
import SampleBatches
import SystemIO
import Testing
import VaultContainer
import VaultCrypto

@Suite("An export comes back whole")
struct RoundTripTests {
    private func passphrase(_ text: String = "correct horse battery") throws -> Passphrase {
        let bytes = Array(text.utf8)
        return try Passphrase(preparing: bytes.span)
    }

    @Test("encrypted and decrypted it is what it would have been in the clear", arguments: Fixtures.exports)
    func roundTrip(_ fixture: BytePath) async throws {
        let folder = try TemporaryFolder()
        let source = Fixtures.root / fixture
        let plain = try await Exporter(source: source, target: folder.path + "/plain").exportFolder()
        var exporter = Exporter(source: source, target: folder.path + "/x.hvault")
        exporter.settings.iterations = 600_000
        let sealed = try await exporter.exportContainer(passphrase: try passphrase())
        #expect(plain.manifest == sealed.manifest)
        _ = try await Decryptor(archive: folder.path + "/x.hvault")
            .decrypt(to: folder.path + "/back", as: .plain, key: .passphrase(try passphrase()))
        #expect(
            try TemporaryFolder.contents(of: folder.path + "/plain")
                == TemporaryFolder.contents(of: folder.path + "/back"))

        var verifier = Verifier(archive: folder.path + "/x.hvault")
        verifier.source = source
        let report = try await verifier.verifyContainer(key: .passphrase(try passphrase()))
        #expect(report.problems == [] && report.warnings == [] && report.comparedSource)
        verifier.archive = folder.path + "/plain"
        #expect(try await verifier.verifyFolder().problems == [])
    }

    @Test(
        "with one processor or with several, and in batches of any size",
        arguments: ["auto", "1day,7,4KiB", "all"])
    func jobs(_ words: String) async throws {
        let folder = try TemporaryFolder()
        let batching = try #require(BatchOptions(parsing: words))
        var contents: [[BytePath: [UInt8]]] = []
        for jobs in [1, 2, 5] {
            var exporter = Exporter(
                source: Fixtures.root + "/exports/export.zip", target: folder.path + "/\(jobs)")
            exporter.settings.jobs = jobs
            exporter.batching = batching
            _ = try await exporter.exportFolder()
            contents.append(try TemporaryFolder.contents(of: exporter.target))
            let report = try await Verifier(archive: exporter.target).verifyFolder()
            #expect(report.problems == [])
        }
        #expect(contents[0] == contents[1] && contents[0] == contents[2])
    }

    @Test("and every write that fails leaves nothing behind")
    func faults() async throws {
        let folder = try TemporaryFolder()
        for call in [SystemCall.open, .write, .mkdir, .syncfs, .rename, .fsync, .close] {
            for number in [0, 1, 2, 5, 11] {
                let plan = FaultPlan([call], at: number, .fail(28))
                let target: BytePath = "\(folder.path)/\(call.rawValue)-\(number)"
                let failed = await FaultPlan.$current.withValue(plan) {
                    do {
                        _ = try await Exporter(
                            source: Fixtures.root + "/exports/version-3.xml", target: target
                        )
                        .exportFolder()
                        return false
                    } catch { return true }
                }
                guard failed else { continue }
                // A failed sync of the folder behind the rename may leave the finished export under its name.
                if call != .fsync { #expect((try? FileStatus(at: target)) == nil, "\(call) \(number)") }
                #expect((try? FileStatus(at: target + ".part")) == nil || call == .close, "\(call) \(number)")
            }
        }
    }
}
