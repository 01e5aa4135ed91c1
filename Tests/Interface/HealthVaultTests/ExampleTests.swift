import AppleHealthExport
import DocumentTesting
import ExportGenerator
import FolderTesting
import HealthFormats
import HealthModel
import HealthVault
import SystemIO
import Testing

// The examples of the documentation, as they stand there.

struct Uploader: BatchProcessor {
    let identifier = "org.example.upload"
    let port: UInt16

    func process(_ batch: SampleBatch, of sampleType: AnySampleType) async throws {
        var lines: [UInt8] = []
        var writer = NDJSONWriter()
        writer.write(batch, to: &lines)
        try await post(lines, to: "/\(sampleType.shortName)", port: port)
    }
}

struct JSONFileWriter: BatchProcessor {
    let identifier = "org.example.json-files"
    let folder: BytePath

    func process(_ batch: SampleBatch, of sampleType: AnySampleType) throws -> BytePath {
        // Named after the batch: doing it twice does no harm.
        let path = folder / EntryPath.batch(batch.key) + ".ndjson"
        var lines: [UInt8] = []
        var writer = NDJSONWriter()
        writer.write(batch, to: &lines)
        try Folder.makeAll(path.parent)
        let file = try FileDescriptor(opening: path, .updateOrCreate)
        try file.truncate(to: 0)
        try file.write(lines.span)
        try file.close()
        return path
    }
}

extension BulkExportSessionIdentifier {
    static let upload = Self("my-bulk-export-session")
    static let files = Self("my-file-export-session")
}

@Suite("The examples of the documentation")
struct ExampleTests {
    private func export(in folder: BytePath) throws -> BytePath {
        var options = GeneratedExport.Options()
        options.xmlBytes = 200_000
        options.sideFiles = .none
        return try GeneratedFiles.writeXML(GeneratedExport(options), in: folder)
    }

    @Test("upload every sample to a server")
    func upload() async throws {
        let folder = try TemporaryFolder()
        let path = try export(in: folder.path)
        let server = try UploadServer()
        let bulkExporter = BulkHealthExporter(
            try ExportStore(path: path), stateFolder: StateFolder(folder.path + "/state"))

        let session = try await bulkExporter.session(
            withId: .upload, for: [.activeEnergyBurned, .heartRate, .stepCount],
            using: Uploader(port: server.port))
        try session.start()

        #expect(await session.finished() == .completed)
        let received = server.stop()
        #expect(received.count == session.numTotalBatches && received.count > 3)
        let lines = received.reduce(0) { $0 + $1.body.count { $0 == UInt8(ascii: "\n") } }
        #expect(lines == session.completedBatches.reduce(0) { $0 + $1.count })
        #expect(Set(received.map(\.path)) == ["/activeEnergyBurned", "/heartRate", "/stepCount"])
    }

    @Test("an upload that the server refuses is a failed batch, and is tried again")
    func refusedUpload() async throws {
        let folder = try TemporaryFolder()
        let path = try export(in: folder.path)
        let server = try UploadServer(refusing: 2)
        let session = try await BulkHealthExporter(
            try ExportStore(path: path), stateFolder: StateFolder(folder.path + "/state")
        ).session(
            withId: .upload, for: [.heartRate, .stepCount], using: Uploader(port: server.port))
        try session.start(concurrencyLevel: .disabled)
        #expect(await session.finished() == .completedWithFailures)
        #expect(session.failedBatches.count == 2)
        try session.start(retryFailedBatches: true)
        #expect(await session.finished() == .completed)
        #expect(server.stop().count == session.numTotalBatches)
    }

    @Test("write each batch to a file of JSON")
    func files() async throws {
        let folder = try TemporaryFolder()
        let path = try export(in: folder.path)
        let bulkExporter = BulkHealthExporter(
            try ExportStore(path: path), stateFolder: StateFolder(folder.path + "/state"))
        let output = folder.path + "/output"
        try Folder.make(output)

        let session = try await bulkExporter.session(
            withId: .files, for: [.activeEnergyBurned, .heartRate, .stepCount],
            using: JSONFileWriter(folder: output))
        var paths: [BytePath] = []
        for try await path in try session.start() {
            paths.append(path)
        }

        #expect(paths.count == session.numTotalBatches && session.state == .completed)
        let plain = folder.path + "/plain"
        var exporter = Exporter(source: path, target: plain)
        exporter.batching = .automatic
        _ = try await exporter.exportFolder()
        for path in paths {
            let name = try #require(path.dropping(prefix: "\(output)/"))
            #expect(try TemporaryFolder.bytes(path) == TemporaryFolder.bytes(plain / name))
        }
    }
}
