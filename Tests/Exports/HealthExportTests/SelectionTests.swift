import ByteText
import DocumentTesting
import ExportGenerator
import FolderTesting
import HealthArchive
import HealthExport
import HealthFormats
import HealthModel
import SampleBatches
import SystemIO
import Testing
import VaultCrypto

@testable import VaultContainer

@Suite("A part of an archive")
struct SelectionTests {
    private static let path: BytePath = "/part"

    private func passphrase() throws -> Passphrase {
        try Passphrase(preparing: Array("correct horse battery".utf8).span)
    }

    /// An archive of a generated export.
    private func archive(in folder: BytePath, _ options: GeneratedExport.Options) async throws -> Decryptor {
        let source = try GeneratedFiles.writeXML(GeneratedExport(options), in: folder)
        let target = folder + "/x.hvault"
        var exporter = Exporter(source: source, target: target)
        exporter.batching = .automatic
        exporter.settings.iterations = 600_000
        _ = try await exporter.exportContainer(passphrase: try passphrase())
        return Decryptor(archive: target)
    }

    /// Writes a part of an archive into a folder.
    private func part(
        _ selection: SampleSelection, of decryptor: Decryptor, to target: BytePath,
        _ key: ArchiveKey
    ) async throws(VaultError) -> Converter.Summary {
        let source = try ConversionSource(container: decryptor.archive, key: key)
        var converter = Converter(source, target: target, formats: [.ndjson])
        converter.selection = selection
        return try await converter.convert()
    }

    private func small() -> GeneratedExport.Options {
        var options = GeneratedExport.Options()
        options.xmlBytes = 300_000
        options.sideFiles = .none
        return options
    }

    /// The rows of a plain folder that a query covers, by file.
    private func filtered(_ folder: BytePath, _ query: BatchQuery) throws -> [BytePath: [UInt8]] {
        var files: [BytePath: [UInt8]] = [:]
        for (path, text) in try TemporaryFolder.contents(of: folder) where path.hasSuffix(".ndjson") {
            var left: [UInt8] = []
            for line in text.split(separator: UInt8(ascii: "\n")) {
                // What a row is of stands in its file's name as well, but not exactly.
                for element in ["Record", "Workout", "ActivitySummary", "Correlation"] {
                    let key = SampleBatch.Key(element: element, type: "", span: "", part: 1)
                    guard let batch = try? NDJSONReader.read(Array(line), key: key),
                        let row = batch.samples.first
                    else { continue }
                    let isCovered = query.covers(element: element, type: row["type"] ?? "")
                    if isCovered, query.covers(start: batch.first) { left += line + [UInt8(ascii: "\n")] }
                }
            }
            if !left.isEmpty { files[path] = left }
        }
        return files
    }

    @Test("is what filtering the whole of it gives, for any types and times")
    func randomQueries() async throws {
        let folder = try TemporaryFolder()
        let decryptor = try await archive(in: folder.path, small())
        let whole = folder.path + "/whole"
        _ = try await decryptor.decrypt(to: whole, as: .plain, key: .passphrase(try passphrase()))
        let types = try await ArchiveStore(folder: whole).contents().types.map(\.type).filter {
            [.quantity, .category].contains($0.kind)
        }
        var random = SystemRandomNumberGenerator()
        for number in 0..<12 {
            let wanted = Set((0..<4).map { _ in types.randomElement(using: &random) ?? .stepCount })
            let times = (0..<2).map { _ in
                // 2016 to 2026.
                Timestamp(
                    seconds: Int.random(in: 1_451_606_400...1_767_225_600, using: &random), offsetMinutes: 60)
            }.sorted { $0.seconds < $1.seconds }
            let selection = SampleSelection(
                types: wanted.map { .type($0) }, in: .between(.instant(times[0]), .instant(times[1])))
            let target = folder.path + "/\(number)"
            let expected = try filtered(
                whole,
                BatchQuery(
                    types: Array(wanted), from: times[0],
                    to: Timestamp(seconds: times[1].seconds + 1, offsetMinutes: 60)))
            let key = ArchiveKey.passphrase(try passphrase())
            let summary: Converter.Summary
            do throws(VaultError) {
                summary = try await part(selection, of: decryptor, to: target, key)
            } catch {
                #expect(error.code == .nothingSelected && expected.isEmpty, "\(selection)")
                continue
            }
            let found = try TemporaryFolder.contents(of: target).filter { $0.key.hasSuffix(".ndjson") }
            #expect(found == expected, "\(selection)")
            #expect(summary.files == expected.count + 1)
            #expect(try await Verifier(archive: target).verifyFolder().problems == [])
            let contents = try await ArchiveStore(folder: target).contents()
            #expect(contents.isSelection)
            #expect(contents.types.reduce(0) { $0 + $1.count } == summary.manifest.sampleCount)
        }
    }

    @Test("says of itself what was asked for, and a whole one says nothing")
    func manifest() async throws {
        let folder = try TemporaryFolder()
        let decryptor = try await archive(in: folder.path, small())
        let selection = SampleSelection(
            types: [.group(.sleep), .type(.heartRate)], excluding: [.type(.sleepAnalysis)],
            in: .between("2018-01-01", "2024-12-31T12:00:00Z"))
        let key = ArchiveKey.passphrase(try passphrase())
        _ = try await part(selection, of: decryptor, to: folder.path + Self.path, key)
        let said = try #require(try Inspector(path: folder.path + Self.path).inspectFolder().selection)
        #expect(said.types == (SampleTypeGroup.sleep.types + [.heartRate]).map(\.identifier).sorted())
        #expect(said.excludedTypes == [AnySampleType.sleepAnalysis.identifier])
        #expect(said.since?.iso == "2018-01-01T00:00:00+01:00")
        #expect(said.until?.iso == "2024-12-31T13:00:00+01:00")
        #expect(
            try Inspector(path: decryptor.archive).inspectContainer(key: key).selection == nil)
    }

    @Test("that nobody can name, or that is not there, leaves nothing behind")
    func nothing() async throws {
        let folder = try TemporaryFolder()
        let decryptor = try await archive(in: folder.path, small())
        let nobody = SampleSelection(types: [.other("heartRat")])
        let never = SampleSelection(in: .since("2090-01-01"))
        for (selection, code) in [
            (nobody, VaultError.Code.unknownType("heartRat")), (never, .nothingSelected),
        ] {
            let key = ArchiveKey.passphrase(try passphrase())
            do throws(VaultError) {
                _ = try await part(selection, of: decryptor, to: folder.path + Self.path, key)
                Issue.record("something was selected")
            } catch { #expect(error.code == code) }
        }
        await #expect(throws: VaultError.self) {
            try await decryptor.decryptEntries(
                ["nope"], to: folder.path + Self.path, key: .passphrase(try passphrase()))
        }
        #expect(try Folder.entries(of: folder.path).map(\.name).sorted() == ["export.xml", "x.hvault"])
    }

    @Test("comes out of an archive in which every other segment is damaged")
    func damage() async throws {
        let folder = try TemporaryFolder()
        var options = small()
        options.xmlBytes = 120_000_000
        let decryptor = try await archive(in: folder.path, options)
        let file = try FileDescriptor(opening: decryptor.archive, .update)
        let size = try file.status().size
        let header = try CleartextHeader(of: decryptor.archive)
        let reader = try ContainerReader(opening: decryptor.archive, passphrase: try passphrase())
        // Small batches are where their bundle is.
        let entries = reader.entries.map { entry in
            if case .bundle(let number) = entry.place {
                (name: entry.name, range: reader.bundles[number].entry.range)
            } else {
                (name: entry.name, range: entry.range)
            }
        }
        let last = try #require(entries.last)
        let month: BytePath = "records/HKQuantityTypeIdentifierHeartRate/2023-05"
        let wanted = entries.filter { $0.name.hasPrefix(month) }
        var needed = Set(
            (wanted + [last]).flatMap { entry in
                [entry.range.lowerBound / header.segmentSize, entry.range.upperBound / header.segmentSize]
            })
        // Index and footer follow the manifest, and the header the footer.
        let full = header.segmentSize + header.segmentSize / 1024 + 72
        let count = (size - 4096 + full - 1) / full
        needed.formUnion((last.range.lowerBound / header.segmentSize)..<count)
        let target = folder.path + Self.path
        let selection = SampleSelection(
            types: [.type(.heartRate)],
            in: .between("2023-05-02", "2023-05-30"))
        _ = try await part(selection, of: decryptor, to: target, .passphrase(try passphrase()))
        let damaged = Set(0..<count).subtracting(needed)
        #expect(!damaged.isEmpty)
        for segment in damaged {
            // Every segment is bound to the salt of the one before, and that before the index is looked up in the file.
            let salt = needed.contains(segment + 1) ? 24 : 0
            try file.write(
                [UInt8](repeating: 0x55, count: full - salt).span, at: 4096 + segment * full + salt)
        }
        _ = try await part(selection, of: decryptor, to: target + "2", .passphrase(try passphrase()))
        #expect(try TemporaryFolder.contents(of: target) == TemporaryFolder.contents(of: target + "2"))
        await #expect(throws: VaultError.self) {
            try await decryptor.decrypt(to: target + "3", as: .plain, key: .passphrase(try passphrase()))
        }
    }
}
