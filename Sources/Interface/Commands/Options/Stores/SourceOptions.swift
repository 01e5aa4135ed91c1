package import CommandLineKit
package import HealthModel
import HealthVault
package import SystemIO
import VaultCrypto

/// The argument SOURCE of commands that query any kind of source, with the passphrase of an archive.
package struct SourceOptions: Sendable {
    package var path: BytePath = ""
    package var passphrase = PassphraseOptions()
    package var keyRing = KeyRingOptions()

    package init() {}

    /// The name of the argument.
    package static let name = "SOURCE"
    /// The heading of the options for the passphrase.
    package static let passphraseSection = "passphrase"

    package static let argument: [GrammarElement<SourceOptions>] = [
        .argument(
            \.path, name, "an export, an archive, or a folder with either; - reads XML",
            as: .file)
    ]

    package static let options: [GrammarElement<SourceOptions>] = [
        .section(
            passphraseSection,
            [
                .including(\.passphrase, PassphraseOptions.elements),
                .including(\.keyRing, KeyRingOptions.elements),
            ])
    ]

    package func validate() throws(UsageError) {
        try passphrase.validate()
        try keyRing.validate(beside: passphrase)
    }

    /// Opens the source; asks for the passphrase of an archive.
    ///
    /// - Parameter gone: Whether to read only samples of an archive that later exports no longer contained.
    package func open(gone: Bool = false) throws -> any HealthStore {
        if let opened = OpenedSource.current { return try opened.store(gone: gone) }
        return try openAnew(gone: gone).store
    }

    /// Opens the source in the same way, although another command may have it open.
    func openAnew(gone: Bool = false) throws -> OpenedSource.Content {
        let (folder, path) = (path, try ArchiveFolder.resolved(path))
        switch Inspector.kind(of: path) {
        case .container:
            if let ring = try keyRing.open() {
                return try Self.opened(path, in: folder, by: .keyRing(ring), gone: gone)
            }
            return try passphrase.retrying {
                let secret = HeldPassphrase(try passphrase.read(prompt: "Passphrase: "))
                return try Self.opened(path, in: folder, by: .passphrase(secret), gone: gone)
            }
        case _ where gone: throw VaultError(.notAnArchive, path: path)
        case .plainFolder: return OpenedSource.Content(store: try ArchiveStore(folder: path))
        case .source:
            return OpenedSource.Content(
                store: path == "-" ? try ExportStore.standardInput() : try ExportStore(path: path))
        }
    }

    private static func opened(
        _ path: BytePath, in folder: BytePath, by key: ArchiveKey, gone: Bool
    ) throws -> OpenedSource.Content {
        let newest = try key.newest(path, in: folder)
        return OpenedSource.Content(store: try key.store(of: newest, gone: gone), archive: (newest, key))
    }
}
