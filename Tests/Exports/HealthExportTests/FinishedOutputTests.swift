import FolderTesting
import HealthArchive
import Synchronization
import SystemIO
import Testing

@testable import ArchiveWriting
@testable import HealthExport

@Suite("An output that nobody noted")
struct FinishedOutputTests {
    private func record(_ folder: BytePath) -> ExportRecord {
        ExportRecord(
            identifier: BulkExportSessionIdentifier("mine"), source: folder + "/export.xml",
            target: folder + "/plain", isEncrypted: false, created: 1)
    }

    @Test("survives being written down")
    func line() throws {
        var record = record("/somewhere")
        record.further = ["/somewhere/x.2.hvault", "/somewhere/x.3.hvault"]
        record.pending = "/somewhere/x.4.hvault"
        record.promise = ExportRecord.Promise(
            identity: "ab", phase: .completedWithFailures, samples: 7, isReplacing: true)
        #expect(ExportRecord(line: record.line) == record)
        record.further = []
        record.pending = nil
        record.promise = nil
        #expect(ExportRecord(line: record.line) == record)
    }

    @Test("is taken note of by whoever looks next")
    func plain() async throws {
        let folder = try TemporaryFolder()
        let records = ExportRecords(StateFolder(folder.path + "/state"))
        var record = record(folder.path)
        let promised = Mutex<ExportRecord.Promise?>(nil)
        var exporter = Exporter(
            source: Fixtures.root + "/exports/version-14.xml", target: record.target)
        exporter.settings.finishing = { identity, manifest in
            let promise = ExportRecord.Promise(
                identity: identity, phase: .completed, samples: manifest.sampleCount, isReplacing: false)
            promised.withLock { $0 = promise }
        }
        let summary = try await exporter.exportFolder()
        record.promise = promised.withLock { $0 }
        // The run replaced what it had made itself; nobody has asked for that.
        record.isReplacing = true
        #expect(record.promise?.identity == OutputIdentity.of(record.target, isEncrypted: false))
        do {
            let session = try records.open(record.identifier)
            try session.save(record)
        }
        let listed = try records.record(record.identifier).record
        #expect(listed.phase == .completed && listed.samples == summary.manifest.sampleCount)
        #expect(listed.promise == nil && listed.identity == record.promise?.identity)
        #expect(!listed.isReplacing)
        #expect(try records.open(record.identifier).stored?.phase == .completed)

        // Another output is none of it.
        record.promise?.identity = "00"
        #expect(record.reconciled() == nil)
    }

    @Test("and the folder that it has replaced goes away")
    func leftovers() async throws {
        let folder = try TemporaryFolder()
        var record = record(folder.path)
        _ = try await Exporter(source: Fixtures.root + "/exports/version-14.xml", target: record.target)
            .exportFolder()
        let aside = record.target + ".part"
        _ = try await Exporter(source: Fixtures.root + "/exports/version-13.xml", target: aside)
            .exportFolder()
        let old = OutputIdentity.of(aside, isEncrypted: false)
        // Somebody else's folder under the name stays.
        record.removeReplaced(record)
        #expect((try? FileStatus(at: aside)) != nil)
        record.identity = old
        record.removeReplaced(record)
        #expect((try? FileStatus(at: aside)) == nil)
    }
}
