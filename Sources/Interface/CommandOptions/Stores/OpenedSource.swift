import HealthModel
import HealthVault
import Synchronization
import SystemIO
import VaultCrypto

/// A source that is opened once for several commands, with one passphrase and one key derivation.
final class OpenedSource: Sendable {
    /// The source that commands query in place of opening their own.
    @TaskLocal static var current: OpenedSource?

    /// What is open, and nothing of it once the source is locked.
    struct Content: Sendable {
        let store: any HealthStore
        /// The archive that was chosen, if the source is one or a folder of them, and its passphrase.
        var archive: (path: BytePath, passphrase: HeldPassphrase)?
    }

    private let options: SourceOptions
    private let content = Mutex<Content?>(nil)

    /// Creates a source that is still locked.
    init(_ options: SourceOptions) { self.options = options }

    /// Its path as it was given.
    var path: BytePath { options.path }

    /// Opens the source if it is locked; asks for the passphrase of an archive.
    func unlock() throws {
        guard content.withLock({ $0 == nil }) else { return }
        let opened = try options.openAnew()
        content.withLock { $0 = opened }
    }

    /// Closes the source; its keys and its passphrase are wiped as soon as no command uses them.
    func lock() { content.withLock { $0 = nil } }

    /// Returns the store for a command.
    ///
    /// - Parameter gone: Whether to read only samples of an archive that later exports no longer contained.
    func store(gone: Bool) throws -> any HealthStore {
        try unlock()
        guard let content = content.withLock({ $0 }) else { throw VaultError(.notAnArchive, path: path) }
        guard gone else { return content.store }
        guard let (archive, passphrase) = content.archive else { throw VaultError(.notAnArchive, path: path) }
        return try ArchiveStore(container: archive, passphrase: try passphrase.copy(), gone: true)
    }

    /// The passphrase of the open archive, if it is one.
    var passphrase: HeldPassphrase? { content.withLock { $0?.archive?.passphrase } }
}
