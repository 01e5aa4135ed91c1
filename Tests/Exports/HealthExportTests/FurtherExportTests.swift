import FolderTesting
import Glibc
import HealthExport
import HealthModel
import SampleBatches
import Testing
import VaultCrypto

@testable import HealthArchive
@testable import SystemIO
@testable import VaultContainer

@Suite("A further container")
struct FurtherExportTests {
    @Test("holds what failed, and both read as one")
    func pair() async throws {
        let fixture = try await FurtherFixture.make()
        #expect(try await fixture.exportFurther() == nil, "nothing is mended yet")
        try fixture.mend()
        let before = try TemporaryFolder.bytes(fixture.archive)
        let summary = try #require(try await fixture.exportFurther())
        #expect(try TemporaryFolder.bytes(fixture.archive) == before)
        #expect(!summary.manifest.isIncomplete)
        #expect(try await fixture.decrypted(fixture.further) == fixture.plain())
        var verifier = Verifier(archive: fixture.further)
        verifier.source = fixture.sound
        let report = try await verifier.verifyContainer(key: .passphrase(try FurtherFixture.passphrase()))
        #expect(report.problems == [] && report.isSameDocument)
        #expect(report.continues == [fixture.archive])
    }

    @Test("is a store that gives what one container would")
    func store() async throws {
        let fixture = try await FurtherFixture.make()
        try fixture.mend()
        _ = try await fixture.exportFurther()
        _ = try await fixture.plain()
        let pair = try ArchiveStore(
            container: fixture.further, key: .passphrase(try FurtherFixture.passphrase()))
        let plain = try ArchiveStore(folder: fixture.folder.path + "/plain")
        #expect(try await pair.contents() == plain.contents())
        var counts: [[Int]] = []
        for store in [pair, plain] {
            var found: [Int] = []
            for try await batch in store.batches(BatchQuery()) { found.append(batch.count) }
            counts.append(found)
        }
        #expect(counts[0] == counts[1] && !counts[0].isEmpty)
    }

    static let calls: [SystemCall] = [.open, .read, .write, .fsync, .rename]

    // SECURITY.md: "Retries of what failed go into a further archive"
    @Test("is there whole or not at all, whichever call fails", arguments: calls)
    func faults(_ call: SystemCall) async throws {
        let fixture = try await FurtherFixture.make()
        try fixture.mend()
        let before = try TemporaryFolder.bytes(fixture.archive)
        let plain = try await fixture.plain()
        let counting = FaultPlan([call], at: .max, .fail(EIO))
        _ = try await FaultPlan.$current.withValue(counting) { try await fixture.exportFurther() }
        try TemporaryFolder.remove(fixture.further)
        let last = counting.count - 1
        // Each attempt derives several keys, which takes seconds; the command's tests try more of them.
        for number in Set([last / 2, last]).filter({ $0 >= 0 }).sorted() {
            let plan = FaultPlan([call], at: number, .fail(number == last ? ENOSPC : EIO))
            do {
                let summary = try await FaultPlan.$current.withValue(plan) {
                    try await fixture.exportFurther()
                }
                // A file that could not be read once more has failed again.
                if summary?.manifest.isIncomplete == true { try TemporaryFolder.remove(fixture.further) }
            } catch { #expect(error is VaultError, "\(error)") }
            #expect(try TemporaryFolder.bytes(fixture.archive) == before)
            if (try? FileStatus(at: fixture.further)) == nil {
                #expect(try await fixture.exportFurther() != nil, "\(call) \(number)")
            }
            #expect((try? FileStatus(at: fixture.further + ".part")) == nil)
            #expect(try await fixture.decrypted(fixture.further) == plain, "\(call) \(number)")
            try TemporaryFolder.remove(fixture.further)
        }
    }

    @Test("has its members in the tar stream of the whole")
    func members() async throws {
        let fixture = try await FurtherFixture.make()
        let reader = try ContainerReader(
            opening: fixture.archive, key: .passphrase(try FurtherFixture.passphrase()))
        var members: [UInt8] = []
        try reader.forEachMemberPiece(where: { _ in true }) { piece in
            for index in piece.indices { members.append(piece[index]) }
        }
        let walk = try TarWalk(length: members.count) { range in ([UInt8](members[range]), []) }
        #expect(walk.entries.map(\.name) == reader.entries.map(\.name))
        for (member, entry) in zip(walk.entries, reader.entries) {
            #expect(try members[member.range].elementsEqual(reader.data(of: entry)), "\(entry.name)")
        }
        // Chosen one by one, they are the same.
        var single: [UInt8] = []
        for entry in reader.entries {
            try reader.forEachMemberPiece(where: { $0 == entry }) { piece in
                for index in piece.indices { single.append(piece[index]) }
            }
        }
        #expect(single.elementsEqual(members))
    }
}
