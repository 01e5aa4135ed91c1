import DataCompression
import DocumentTesting
import ExportGenerator
import FolderTesting
import HealthFormats
import SampleBatches
import SystemIO
import Testing
import VaultCrypto

@testable import HealthArchive
@testable import HealthExport
@testable import VaultContainer

@Suite("An export whose small entries rest together")
struct BundledExportTests {
    private func passphrase() throws -> Passphrase {
        try Passphrase(preparing: Array("correct horse battery".utf8).span)
    }

    private func source(
        in folder: BytePath, _ shape: GeneratedExport.Options.Shape = .ordinary
    ) throws -> BytePath {
        var options = GeneratedExport.Options()
        options.shape = shape
        options.xmlBytes = 3_000_000
        options.sideFiles = .none
        return try GeneratedFiles.writeXML(GeneratedExport(options), in: folder)
    }

    @Test(
        "has the same entries in the same order, with one processor or with several",
        arguments: ["auto", "month/half-year", "half-year/year", "1month,100,4KiB"])
    func jobs(words: String) async throws {
        let folder = try TemporaryFolder()
        var found: [[(name: BytePath, bundle: Int?, bytes: [UInt8])]] = []
        for jobs in [1, 2, 5] {
            var exporter = Exporter(
                source: try source(in: folder.path), target: folder.path + "/\(jobs).hvault")
            exporter.settings.jobs = jobs
            exporter.batching = try #require(BatchOptions(parsing: words))
            exporter.settings.iterations = 600_000
            _ = try await exporter.exportContainer(passphrase: try passphrase())
            let reader = try ContainerReader(opening: exporter.target, passphrase: try passphrase())
            found.append(
                try reader.entries.map { entry in
                    let bundle: Int? = if case .bundle(let number) = entry.place { number } else { nil }
                    return (entry.name, bundle, try reader.data(of: entry))
                })
            try OpenFolder(holding: folder.path + "/export.xml").removeFile("export.xml")
        }
        #expect(found[0].count > 50 && found[0].contains { $0.bundle != nil })
        for other in found.dropFirst() {
            #expect(other.count == found[0].count)
            for (mine, theirs) in zip(found[0], other) {
                #expect(mine.name == theirs.name && mine.bundle == theirs.bundle)
                #expect(mine.bytes.elementsEqual(theirs.bytes), "\(mine.name)")
            }
        }
    }

    /// Spans that lie in one another: what an archive says of months adds up to what another one says of years.
    @Test("says the same in sum, whatever the spans of its batches are")
    func sums() async throws {
        let folder = try TemporaryFolder()
        let source = try source(in: folder.path)
        var sums: [[TypeKey: IdentitySum]] = []
        for (number, words) in ["1month", "month/half-year", "half-year/year", "1year", "5years", "all"]
            .enumerated()
        {
            var exporter = Exporter(source: source, target: folder.path + "/\(number)")
            exporter.batching = try #require(BatchOptions(parsing: words))
            let manifest = try await exporter.exportFolder().manifest
            var sum: [TypeKey: IdentitySum] = [:]
            for span in manifest.spans {
                sum[TypeKey(element: span.key.element, type: span.key.type), default: IdentitySum()]
                    .add(span.identity)
            }
            #expect(
                manifest.batching.hasPrefix(
                    [
                        "1months", "month/half-year", "half-year/year", "12months", "60months", "all",
                    ][number]))
            sums.append(sum)
        }
        #expect(sums[0].count > 20 && sums.dropFirst().allSatisfy { $0 == sums[0] })
    }

    @Test("has what is seldom needed in frames of its own, without which all other columns can be read")
    func frames() async throws {
        let folder = try TemporaryFolder()
        // Pointers that are repeated are short.
        var exporter = Exporter(
            source: try source(in: folder.path, .newDevices), target: folder.path + "/x.hvault")
        exporter.batching = try #require(BatchOptions(parsing: "all"))
        exporter.settings.iterations = 600_000
        _ = try await exporter.exportContainer(passphrase: try passphrase())
        let reader = try ContainerReader(opening: exporter.target, passphrase: try passphrase())
        let wanted = StoredColumns.Wanted(
            times: ["startDate", "endDate"], values: true, positions: false, contexts: true, shared: ["unit"])
        var more = wanted
        more.positions = true
        let decoder = try BatchDecoder()
        var compressor = try ZstandardCompressor()
        var decompressor = try ZstandardDecompressor()
        func columns(
            _ bytes: [UInt8], _ name: BytePath, _ wanted: StoredColumns.Wanted
        ) throws -> [[Int]]? {
            try decoder.withColumns(wanted, of: bytes, name, within: .usual) { columns in
                wanted.times.map { columns.instants(of: $0) ?? [] }
                    + [columns.positions, columns.contextNumbers]
                    + [columns.values?.numbers.map { Int(truncatingIfNeeded: $0.bitPattern) } ?? []]
            }
        }
        var found = 0
        for entry in reader.entries
        where entry.name.hasSuffix(".json.zst") && entry.name.hasPrefix("records/") {
            var text: [UInt8] = []
            let bytes = try reader.data(of: entry)
            let first = try decompressor.decompress(firstOf: bytes.span, limit: .max, into: &text)
            guard first < bytes.count else { continue }
            found += 1
            let beginning = String(decoding: text, as: UTF8.self)
            for member in ["device", "position", "content", "contents"] {
                #expect(!beginning.contains("\"\(member)\":["), "\(member)")
            }
            try decompressor.decompress(frames: bytes.span, frameLimit: .max, limit: .max, into: &text)
            let whole = try compressor.compress(text.span)
            for wanted in [wanted, more] {
                #expect(try columns(bytes, entry.name, wanted) == columns(whole, entry.name, wanted))
            }
            #expect(
                try decoder.batch(bytes, entry.name).identitySum()
                    == decoder.batch(whole, entry.name).identitySum())
            // What follows is not needed, but must be there for everything else.
            let cut = Array(bytes.dropLast())
            #expect(try columns(cut, entry.name, wanted) == columns(whole, entry.name, wanted))
            #expect(throws: VaultError.self) { try columns(cut, entry.name, more) }
            for wrong in [cut, Array(bytes[..<first]), bytes + [0]] {
                #expect(throws: VaultError.self) { try decoder.batch(wrong, entry.name) }
                #expect(throws: VaultError.self) { try decoder.identity(wrong, entry.name) }
            }
            #expect(throws: VaultError.self) { try columns(Array(bytes[..<first]), entry.name, wanted) }
            // Frames may end anywhere.
            for cut in [1, text.count / 3, text.count / 2, text.count - 2, text.count - 1] {
                let frames = try compressor.compress(text.span, secondFrameAt: cut)
                #expect(try columns(frames, entry.name, more) == columns(whole, entry.name, more))
            }
            // A member that is only in the second frame counts.
            let (start, rest) = (Array(text.dropLast()), Array(",\"gone\":true}".utf8))
            let odd = try compressor.compress((start + rest).span, secondFrameAt: start.count)
            #expect(throws: VaultError.self) { try decoder.batch(odd, entry.name) }
        }
        #expect(found > 3)
    }

    @Test("knows by name and content what has vanished, and by neither alone")
    func gone() throws {
        let key = SampleBatch.Key(element: "Record", type: "T", span: "2024", part: 2)
        var batch = SampleBatch(key: key)
        var writer = StoredBatchWriter()
        let decoder = try BatchDecoder()
        for isGone in [false, true] {
            batch.isGone = isGone
            let json = writer.write(batch)
            for isNamedGone in [false, true] {
                let name = EntryPath.batch(key, isGone: isNamedGone) + EntryPath.storedSuffix
                let found = try? decoder.batch(json, name)
                #expect((found != nil) == (isGone == isNamedGone) && found?.isGone ?? isGone == isGone)
            }
        }
        #expect(EntryPath.batch(key, isGone: true).hasSuffix("/2024.gone.part2"))
    }
}
