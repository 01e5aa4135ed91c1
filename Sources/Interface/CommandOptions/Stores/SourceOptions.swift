package import CommandLineKit
package import HealthModel
import HealthVault
package import SystemIO

/// The argument SOURCE of commands that query any kind of source, with the passphrase of an archive.
package struct SourceOptions: Sendable {
    package var path: BytePath = ""
    package var passphrase = PassphraseOptions()

    package init() {}

    package static let argument: [GrammarElement<SourceOptions>] = [
        .argument(
            \.path, "SOURCE", "an export, an archive, or a folder with either; - reads XML",
            as: .file)
    ]

    package static let options: [GrammarElement<SourceOptions>] = [
        .section("passphrase", [.including(\.passphrase, PassphraseOptions.elements)])
    ]

    package func validate() throws(UsageError) { try passphrase.validate() }

    /// Opens the source; asks for the passphrase of an archive.
    ///
    /// - Parameter gone: Whether to read only samples of an archive that later exports no longer contained.
    package func open(gone: Bool = false) throws -> any HealthStore {
        let (folder, path) = (path, try ArchiveFolder.resolved(path))
        switch Inspector.kind(of: path) {
        case .container:
            return try passphrase.retrying {
                let secret = try passphrase.read(prompt: "Passphrase: ")
                let newest = try ArchiveFolder.confirmed(path, in: folder, passphrase: secret)
                return try ArchiveStore(container: newest, passphrase: secret, gone: gone)
            }
        case _ where gone: throw VaultError(.notAnArchive, path: path)
        case .plainFolder: return try ArchiveStore(folder: path)
        case .source: return path == "-" ? try .standardInput() : try ExportStore(path: path)
        }
    }
}
