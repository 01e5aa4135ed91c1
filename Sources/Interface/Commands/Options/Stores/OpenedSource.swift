package import CommandLineKit
import HealthModel
import HealthVault
import Synchronization
package import SystemIO
package import VaultContainer

/// A source that is opened once for several commands, with one passphrase and one key derivation.
package final class OpenedSource: Sendable {
    /// The source that commands query in place of opening their own.
    @TaskLocal static var current: OpenedSource?

    /// What is open, and nothing of it once the source is locked.
    struct Content: Sendable {
        let store: any HealthStore
        /// The archive that was chosen, if the source is one or a folder of them, and what opens it.
        var archive: (path: BytePath, key: ArchiveKey)?
    }

    private let options: SourceOptions
    private let content = Mutex<Content?>(nil)

    /// Creates a source that is still locked.
    package init(_ options: SourceOptions) { self.options = options }

    /// Its path as it was given.
    package var path: BytePath { options.path }

    /// Opens the source if it is locked; asks for the passphrase of an archive.
    package func unlock() throws {
        guard content.withLock({ $0 == nil }) else { return }
        let opened = try options.openAnew()
        content.withLock { $0 = opened }
    }

    /// Closes the source; its keys and its passphrase are wiped as soon as no command uses them.
    package func lock() { content.withLock { $0 = nil } }

    /// What opened the source, if it is an archive that is open.
    package var key: ArchiveKey? { content.withLock { $0?.archive?.key } }

    /// Runs a command that queries this source.
    package func lend<Result>(to command: () async throws -> Result) async rethrows -> Result {
        try await Self.$current.withValue(self) {
            try await KeyOptions.$held.withValue(key) { try await command() }
        }
    }

    /// Returns the store for a command.
    ///
    /// - Parameter gone: Whether to read only samples of an archive that later exports no longer contained.
    func store(gone: Bool) throws -> any HealthStore {
        try unlock()
        let content = content.withLock { $0 }
        if !gone, let content { return content.store }
        guard let (archive, key) = content?.archive else {
            throw VaultError(.notAnArchive, path: path)
        }
        return try ArchiveStore(container: archive, key: key, gone: gone)
    }
}

extension CommandEntry where Command == any VaultCommand {
    /// Returns an entry for a prompt at which the source is not typed, because it is always this one.
    package static func command<C: VaultCommand>(_ type: C.Type, of source: BytePath) -> Self {
        Self(
            type, supplying: SourceOptions.name, with: source.text ?? "",
            withoutSection: KeyOptions.section
        ) { $0 }
    }
}
