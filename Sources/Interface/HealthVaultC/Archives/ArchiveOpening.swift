import HealthArchive
import SystemIO
import VaultContainer
import VaultCrypto

extension ArchiveKey {
    /// Takes a passphrase as it is.
    static func passphrase(_ text: Span<UInt8>) throws -> ArchiveKey {
        do { return .passphrase(try Passphrase(preparing: text)) } catch {
            throw PassphraseProblem.unusable(error)
        }
    }

    /// Opens an archive with those that it continues, or the newest archive in a folder.
    ///
    /// - Throws: `VaultError`.
    func open(_ path: BytePath) throws -> ContainerChain {
        let suggested = try ArchiveFolder.resolved(path)
        guard Inspector.kind(of: suggested) == .container else {
            // What is not there is said to be so, rather than to be no archive.
            _ = try VolumeFile(opening: suggested, .read)
            throw VaultError(.notAnArchive, path: suggested)
        }
        do {
            let newest = try ArchiveFolder.confirmed(suggested, in: path, key: self)
            return try ContainerChain(opening: newest, key: self, acceptingDamage: true)
        } catch { throw VaultError.wrapping(error, path: suggested) }
    }
}
