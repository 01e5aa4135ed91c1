import DocumentTesting
import ExportGenerator
import HealthVault
import SystemIO
import VaultCrypto

/// The archive that the examples open.
enum ExampleArchive {
    static let export: GeneratedExport = {
        var options = GeneratedExport.Options()
        options.xmlBytes = 80_000
        options.sideFiles = .none
        return GeneratedExport(options)
    }()

    static func passphrase() throws -> Passphrase {
        try Passphrase(preparing: Array("correct horse battery".utf8).span)
    }

    /// Writes the archive, and returns its path.
    static func write(in folder: BytePath) async throws -> BytePath {
        var exporter = Exporter(
            source: try GeneratedFiles.writeXML(export, in: folder), target: folder / "archive")
        exporter.settings.iterations = 600_000
        _ = try await exporter.exportContainer(passphrase: try passphrase())
        return exporter.target
    }
}
