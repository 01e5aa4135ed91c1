import HealthModel
import HealthVault
import SystemIO
import VaultContainer
import VaultCrypto

/// What opens an archive: a passphrase, or a key ring that has its key.
enum ArchiveKey: Sendable {
    case passphrase(HeldPassphrase)
    case keyRing(KeyRing)

    /// The passphrase, for commands that need nothing else.
    var passphrase: HeldPassphrase? {
        if case .passphrase(let passphrase) = self { passphrase } else { nil }
    }

    /// Returns the newest archive of a folder, judging by what the archives contain.
    func newest(_ suggested: BytePath, in folder: BytePath) throws -> BytePath {
        switch self {
        case .passphrase(let passphrase):
            try ArchiveFolder.confirmed(suggested, in: folder, passphrase: try passphrase.copy())
        case .keyRing(let ring): try ArchiveFolder.confirmed(suggested, in: folder, keyRing: ring)
        }
    }

    /// Opens an archive.
    func store(of path: BytePath, gone: Bool) throws -> any HealthStore {
        switch self {
        case .passphrase(let passphrase):
            try ArchiveStore(container: path, passphrase: try passphrase.copy(), gone: gone)
        case .keyRing(let ring): try ArchiveStore(container: path, keyRing: ring, gone: gone)
        }
    }
}
