import HealthArchive
import SystemIO
import VaultContainer
import VaultCrypto

/// What opens an archive.
enum ArchiveCredential: ~Copyable, Sendable {
    /// A passphrase, from which the key is derived.
    case passphrase(Passphrase)
    /// A key ring that has the key.
    case keyRing(KeyRing)

    /// Takes a passphrase as it is.
    static func passphrase(_ text: Span<UInt8>) throws -> ArchiveCredential {
        do { return .passphrase(try Passphrase(preparing: text)) } catch {
            throw PassphraseProblem.unusable(error)
        }
    }

    /// Opens an archive with those that it continues, or the newest archive in a folder.
    ///
    /// - Throws: `VaultError`.
    borrowing func open(_ path: BytePath) throws -> ContainerChain {
        let suggested = try ArchiveFolder.resolved(path)
        guard Inspector.kind(of: suggested) == .container else {
            // What is not there is said to be so, rather than to be no archive.
            _ = try VolumeFile(opening: suggested, .read)
            throw VaultError(.notAnArchive, path: suggested)
        }
        do {
            switch self {
            case .passphrase(let passphrase):
                let newest = try ArchiveFolder.confirmed(suggested, in: path, passphrase: passphrase)
                return try ContainerChain(opening: newest, passphrase: passphrase, acceptingDamage: true)
            case .keyRing(let ring):
                let newest = try ArchiveFolder.confirmed(suggested, in: path, keyRing: ring)
                return try ContainerChain(opening: newest, keyRing: ring, acceptingDamage: true)
            }
        } catch { throw VaultError.wrapping(error, path: suggested) }
    }
}
