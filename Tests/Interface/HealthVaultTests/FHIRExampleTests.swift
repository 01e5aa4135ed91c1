import DocumentTesting
import ExportGenerator
import FolderTesting
import HealthVault
import SystemIO
import Testing

@Suite("The examples of the page about FHIR")
struct FHIRExampleTests {
    @Test("a session writes the resources of each batch to a file")
    func session() async throws {
        let folder = try TemporaryFolder()
        var options = GeneratedExport.Options()
        options.xmlBytes = 200_000
        options.sideFiles = .none
        let path = try GeneratedFiles.writeXML(GeneratedExport(options), in: folder.path)
        let exporter = BulkHealthExporter(
            try ExportStore(path: path), stateFolder: StateFolder(folder.path + "/state"))
        let resources = folder.path / "resources"
        try Folder.make(resources)

        let session = try await exporter.session(
            withId: BulkExportSessionIdentifier("fhir"), for: [.activeEnergyBurned, .heartRate, .stepCount],
            using: .fhir(into: resources))
        var files: [BytePath] = []
        for try await path in try session.start() { files.append(path) }

        #expect(files.count == session.numTotalBatches && files.count > 3)
        #expect(try Folder.entries(of: resources).count == files.count)
        let samples = session.completedBatches.reduce(0) { $0 + $1.count }
        var observations = 0
        for path in files {
            let file = try FileDescriptor(opening: path, .read)
            let text = String(decoding: try file.bytes(at: 0, count: file.status().size), as: UTF8.self)
            observations += text.split(separator: "\n").count {
                $0.contains(#""resourceType":"Observation""#)
            }
        }
        #expect(observations == samples)

        // Files in another folder, or with other codes, are another session's.
        await #expect(throws: SessionError.conflictingSessionAlreadyExists) {
            try await exporter.session(
                withId: BulkExportSessionIdentifier("fhir"), for: [.heartRate],
                using: .fhir(into: folder.path, identifier: "fhir elsewhere"))
        }
    }
}
