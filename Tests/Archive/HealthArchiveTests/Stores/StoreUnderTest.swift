import ByteText
import DocumentTesting
import ExportGenerator
import HealthArchive
import HealthExport
import HealthModel
import HealthStoreTesting
import SampleBatches
import SystemIO
import VaultContainer
import VaultCrypto

/// A store that has to pass the conformance suite, all of them with the same samples.
enum StoreUnderTest: String, CaseIterable, Sendable {
    case zip
    case xml
    case generated
    case container
    case plainFolder
    /// Archives whose batches are not those that are asked for.
    case containerOfDays
    case folderOfEverything

    static let export: GeneratedExport = {
        var options = GeneratedExport.Options()
        options.xmlBytes = 80_000
        options.years = 4
        options.shape = .shuffled
        options.sideFiles = .none
        return GeneratedExport(options)
    }()

    static func passphrase() throws -> Passphrase {
        let bytes = Array("correct horse battery".utf8)
        return try Passphrase(preparing: bytes.span)
    }

    /// The store, in files below a folder.
    func open(in folder: BytePath) async throws -> any HealthStore {
        switch self {
        case .zip:
            try GeneratedFiles.writeZip(Self.export, to: folder + "/export.zip")
            return try ExportStore(path: folder + "/export.zip")
        case .generated:
            return InMemoryStore(Self.export)
        case .xml: return try ExportStore(path: try GeneratedFiles.writeXML(Self.export, in: folder))
        case .container, .containerOfDays:
            var exporter = try exporter(in: folder)
            if self == .containerOfDays { exporter.batching = .calendarComponent(.day).limited(toRows: 5) }
            exporter.settings.iterations = 600_000
            _ = try await exporter.exportContainer(passphrase: try Self.passphrase())
            return try ArchiveStore(container: exporter.target, key: .passphrase(try Self.passphrase()))
        case .plainFolder, .folderOfEverything:
            var exporter = try exporter(in: folder)
            if self == .folderOfEverything { exporter.batching = BatchOptions(span: .every(.all)) }
            _ = try await exporter.exportFolder()
            return try ArchiveStore(folder: exporter.target)
        }
    }

    private func exporter(in folder: BytePath) throws -> Exporter {
        Exporter(source: try GeneratedFiles.writeXML(Self.export, in: folder), target: folder + "/archive")
    }
}
