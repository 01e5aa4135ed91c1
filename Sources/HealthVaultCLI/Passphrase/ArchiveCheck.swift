import HealthVault
import SystemIO
import VaultContainer

/// Checks a path before a passphrase is asked for.
enum ArchiveCheck {
    static func requireContainer(_ path: BytePath) throws {
        switch Inspector.kind(of: path) {
        case .container: break
        case .plainFolder: throw VaultError(.notAnArchive, path: path)
        // Reports what is there instead, or that nothing is.
        case .source where (try? FileStatus(at: path))?.kind == .folder:
            throw VaultError(.notAnArchive, path: path)
        case .source:
            do { _ = try CleartextHeader(of: path) } catch { throw VaultError(.container(error), path: path) }
        }
    }
}
