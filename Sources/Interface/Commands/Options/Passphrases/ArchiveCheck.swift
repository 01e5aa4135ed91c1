import HealthVault
package import SystemIO
import VaultContainer

/// The checks of a path before asking for a passphrase.
package enum ArchiveCheck {
    package static func requireContainer(_ path: BytePath) throws {
        switch Inspector.kind(of: path) {
        case .container: break
        case .plainFolder: throw VaultError(.notAnArchive, path: path)
        // Reports what was found instead, or that nothing was found.
        case .source where (try? FileStatus(at: path))?.kind == .folder:
            throw VaultError(.notAnArchive, path: path)
        case .source:
            do { _ = try CleartextHeader(of: path) } catch { throw VaultError.wrapping(error, path: path) }
        }
    }
}
