import AppleHealthExport
import ByteText
import FolderTesting
import HealthArchive
import HealthExport
import SampleBatches
import SystemIO
import Testing

@Suite("Odd sources")
struct OddSourceTests {
    @Test(
        "that hold an export all the same",
        arguments: [
            "flat.zip", "nested.zip", "chinese-flagged.zip", "chinese-unflagged.zip", "descriptors.zip",
            "zip64.zip",
            "macosx.zip", "stored.zip", "wrapped.zip", "nul.xml",
        ])
    func readable(_ name: BytePath) async throws {
        let folder = try TemporaryFolder()
        let source = Fixtures.root + "/malformed/" + name
        let summary = try await Exporter(source: source, target: folder.path + "/x").exportFolder()
        let records = summary.manifest.elements["Record"]
        #expect(records?.read == 120 && records?.written == 120)
    }

    static let refused: [(BytePath, ExportError.Code)] = [
        ("two-candidates.zip", .severalHealthDocuments), ("no-health.zip", .noHealthDocument),
        ("empty.zip", .noHealthDocument), ("empty-file.zip", .empty), ("not-a.zip", .unrecognized),
        ("encrypted.zip", .encryptedArchive), ("slip.zip", .unsafeName), ("absolute.zip", .unsafeName),
        ("crc.zip", .checksumMismatch), ("truncated.zip", .damagedArchive),
        ("entity.xml", .entityDeclaration), ("utf16.xml", .unsupportedEncoding),
        ("truncated.xml", .truncated),
        ("unclosed.xml", .truncated), ("missing.zip", .noSuchSource),
    ]

    @Test("that are refused, and leave nothing behind", arguments: refused)
    func refusals(_ name: BytePath, _ code: ExportError.Code) async throws {
        let folder = try TemporaryFolder()
        let exporter = Exporter(source: Fixtures.root + "/malformed/" + name, target: folder.path + "/x")
        let error = await #expect(throws: VaultError.self) { try await exporter.exportFolder() }
        guard case .source(let failure) = error?.code else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(failure.code == code)
        #expect(try Folder.entries(of: folder.path).isEmpty)
    }

    @Test("with a damaged side file give everything else, and say so")
    func damagedSideFile() async throws {
        let folder = try TemporaryFolder()
        let exporter = Exporter(
            source: Fixtures.root + "/malformed/crc-side.zip", target: folder.path + "/x")
        let manifest = try await exporter.exportFolder().manifest
        #expect(manifest.damagedFiles == ["export_cda.xml"])
        #expect(manifest.isIncomplete && !manifest.isTruncated)
        #expect(manifest.elements["Record"]?.written == 120)
        var verifier = Verifier(archive: folder.path + "/x")
        verifier.source = exporter.source
        #expect(try await verifier.verifyFolder().problems == [])
    }

    @Test("with a file whose name is another spelling of the document's keep both", arguments: [false, true])
    func equivalentNames(_ isZip: Bool) async throws {
        let folder = try TemporaryFolder()
        let members: [(BytePath, String)] = [
            ("caf\u{e9}.xml", "<HealthData></HealthData>"), ("cafe\u{301}.xml", "<ClinicalDocument/>"),
        ]
        var path = folder.path
        if isZip {
            path = path / "export.zip"
            var zip = try ZipWriter(path, modified: Timestamp(seconds: 0, offsetMinutes: 0))
            for (name, text) in members {
                try zip.add(name) { write throws(ExportError) in try write(Array(text.utf8).span) }
            }
            try zip.finish()
        } else {
            for (name, text) in members {
                let file = try FileDescriptor(opening: path / name, .create)
                try file.write(Array(text.utf8).span)
            }
        }
        let source = try ExportSource(opening: path)
        #expect(source.documentName == members[0].0)
        #expect(source.sideFiles.map(\.name) == [members[1].0])
    }

    @Test(
        "that were cut off give what they hold when asked to", arguments: ["truncated.xml", "unclosed.xml"])
    func truncated(_ name: BytePath) async throws {
        let folder = try TemporaryFolder()
        var exporter = Exporter(source: Fixtures.root + "/malformed/" + name, target: folder.path + "/x")
        exporter.acceptsDamage = true
        let summary = try await exporter.exportFolder()
        #expect(summary.manifest.isTruncated)
        #expect((summary.manifest.elements["Record"]?.written ?? 0) >= 119)
        var verifier = Verifier(archive: folder.path + "/x")
        verifier.source = exporter.source
        #expect(try await verifier.verifyFolder().problems == [])
    }
}
