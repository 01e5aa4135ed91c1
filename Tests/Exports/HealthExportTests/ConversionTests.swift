import AppleHealthExport
import ByteText
import FolderTesting
import Glibc
import HealthArchive
import HealthExport
import HealthFormats
import HealthModel
import Testing
import VaultContainer
import VaultCrypto

@testable import SystemIO

@Suite("A conversion")
struct ConversionTests {
    private static func passphrase() throws -> Passphrase {
        try Passphrase(preparing: Array("correct horse battery".utf8).span)
    }

    /// The formats that are the same whatever the source was; a database differs in the order of equal rows at most.
    private static let texts: [ExportFormat] = [.ndjson, .json, .csv]

    @Test("gives the same from an export, an archive and a plain folder", arguments: Fixtures.exports)
    func sources(name: BytePath) async throws {
        let folder = try TemporaryFolder()
        let source = Fixtures.root / name
        let plain = folder.path + "/plain"
        let archive = folder.path + "/x.hvault"
        _ = try await Exporter(source: source, target: plain).exportFolder()
        var encryption = Converter(try ConversionSource(folder: plain), target: archive, formats: [])
        encryption.settings.iterations = 600_000
        _ = try await encryption.encrypt(passphrase: try Self.passphrase())
        let sources = [
            ConversionSource(export: source), try ConversionSource(folder: plain),
            try ConversionSource(container: archive, key: .passphrase(try Self.passphrase())),
        ]
        var found: [[BytePath: [UInt8]]] = []
        for (number, source) in sources.enumerated() {
            let target = folder.path + "/\(number)"
            _ = try await Converter(source, target: target, formats: Self.texts).convert()
            found.append(try TemporaryFolder.contents(of: target))
        }
        #expect(found[0] == found[1])
        #expect(found[0] == found[2])
        #expect(found[0]["health.json"] != nil && !found[0].keys.filter { $0.hasPrefix("csv/") }.isEmpty)
        // Apart from the further formats it is the folder that an export makes.
        let files = try TemporaryFolder.contents(of: plain).filter { $0.key != "SHA256SUMS" }
        for (path, bytes) in files where path != "manifest.json" { #expect(found[0][path] == bytes) }
        #expect(try await Verifier(archive: folder.path + "/0").verifyFolder().problems == [])
    }

    @Test("does not depend on the number of processors", arguments: [2, 5])
    func jobs(count: Int) async throws {
        let folder = try TemporaryFolder()
        let source = ConversionSource(export: Fixtures.root / "exports/export.zip")
        var found: [[BytePath: [UInt8]]] = []
        for jobs in [1, count] {
            let target = folder.path + "/\(jobs)"
            var converter = Converter(source, target: target, formats: ExportFormat.allCases)
            converter.settings.jobs = jobs
            _ = try await converter.convert()
            found.append(try TemporaryFolder.contents(of: target))
        }
        #expect(found[0] == found[1])
    }

    @Test("and back is no change", arguments: Fixtures.exports)
    func document(name: BytePath) async throws {
        let folder = try TemporaryFolder()
        let (document, plain, again) = (
            folder.path + "/export.xml", folder.path + "/plain", folder.path + "/again"
        )
        let source = Fixtures.root / name
        _ = try await Exporter(source: source, target: plain).exportFolder()
        _ = try await Converter(ConversionSource(folder: plain), target: document, formats: [.appleXML])
            .convert()
        if name.hasSuffix(".xml") {
            #expect(try TemporaryFolder.bytes(document) == TemporaryFolder.bytes(source))
        }
        _ = try await Exporter(source: document, target: again).exportFolder()
        let records = { (path: BytePath) in
            try TemporaryFolder.contents(of: path).filter { $0.key.hasPrefix("records/") }
        }
        #expect(try records(plain) == records(again))
    }

    @Test("of a part of a part is the part that both select")
    func partOfPart() async throws {
        let folder = try TemporaryFolder()
        let (first, second, both) = (folder.path + "/1", folder.path + "/2", folder.path + "/3")
        let years = SampleSelection(in: .between("2018-01-01", "2024-12-31"))
        let hearts = SampleSelection(types: [.group(.vitals)], in: .since("2020-01-01"))
        let export = ConversionSource(export: Fixtures.root / "exports/export.zip")
        func convert(_ source: ConversionSource, _ part: SampleSelection, _ target: BytePath) async throws {
            var converter = Converter(source, target: target, formats: [.ndjson])
            converter.selection = part
            _ = try await converter.convert()
        }
        try await convert(export, years, first)
        try await convert(ConversionSource(folder: first), hearts, second)
        try await convert(
            export, SampleSelection(types: [.group(.vitals)], in: .between("2020-01-01", "2024-12-31")), both)
        #expect(try TemporaryFolder.contents(of: second) == TemporaryFolder.contents(of: both))
    }

    static let calls: [SystemCall] = [.open, .read, .write, .fsync, .rename, .unlink]

    @Test(
        "is there whole or not at all, whichever call fails", arguments: calls,
        [[ExportFormat.json], [.sqlite], [.appleXML], [.ndjson, .csv, .sqlite]])
    func faults(call: SystemCall, formats: [ExportFormat]) async throws {
        let folder = try TemporaryFolder()
        let source = ConversionSource(export: try Self.smallExport(in: folder.path))
        let target = folder.path + "/target"
        let convert = {
            _ = try await Converter(source, target: target, formats: formats).convert()
        }
        let counting = FaultPlan([call], at: .max, .fail(EIO))
        try await FaultPlan.$current.withValue(counting) { try await convert() }
        let isFile = try FileStatus(at: target).kind == .file
        try await Self.remove(target)
        let last = counting.count - 1
        for number in Set([0, 1, last / 3, last / 2, last - 1, last]).filter({ $0 >= 0 }).sorted() {
            let plan = FaultPlan([call], at: number, .fail(number % 2 == 0 ? ENOSPC : EIO))
            do { try await FaultPlan.$current.withValue(plan) { try await convert() } } catch {
                #expect(error is VaultError, "\(error)")
            }
            // What is there is whole; what is left under the temporary name is replaced.
            if (try? FileStatus(at: target)) == nil { try await convert() }
            #expect(try (FileStatus(at: target).kind == .file) == isFile, "\(call) \(number)")
            if !isFile {
                #expect(
                    try await Verifier(archive: target).verifyFolder().problems == [], "\(call) \(number)")
            }
            try await Self.remove(target)
        }
    }

    /// Writes an export that has a file of each kind and is converted several hundred times in a few seconds.
    private static func smallExport(in folder: BytePath) throws -> BytePath {
        let path = folder + "/export.zip"
        var zip = try ZipWriter(path, modified: Timestamp(seconds: 0, offsetMinutes: 0))
        let document = try TemporaryFolder.bytes(Fixtures.root + "/exports/version-14.xml")
        let files: [(BytePath, [UInt8])] = [
            ("export.xml", document),
            ("workout-routes/route.gpx", Array("<gpx><trk><trkseg/></trk></gpx>".utf8)),
            ("electrocardiograms/ecg.csv", Array("Classification,Sinus Rhythm\n\nUnit,µV\n\n1\n2\n".utf8)),
            ("clinical-records/Patient.json", Array("{\"resourceType\": \"Patient\"}".utf8)),
        ]
        for (name, bytes) in files {
            try zip.add("apple_health_export" / name) { write throws(ExportError) in try write(bytes.span) }
        }
        try zip.finish()
        return path
    }

    private static func remove(_ target: BytePath) async throws {
        for path in [target, target + ".part"] where (try? FileStatus(at: path)) != nil {
            if try FileStatus(at: path).kind == .file {
                try TemporaryFolder.remove(path)
            } else {
                try Folder.removeAll(path)
            }
        }
    }
}
