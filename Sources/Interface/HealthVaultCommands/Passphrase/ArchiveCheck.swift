import AppleHealthExport
import HealthVault
import SystemIO
import VaultContainer

/// The checks of a path before asking for a passphrase.
enum ArchiveCheck {
    /// Returns the newest archive in a folder of archives, or any other path unchanged.
    ///
    /// - Throws: `VaultError.severalArchives` if their names do not show which one is the newest.
    static func newest(_ path: BytePath) throws -> BytePath {
        guard path != "-", (try? FileStatus(at: path))?.kind == .folder,
            Inspector.kind(of: path) == .source, (try? ExportSource(opening: path)) == nil
        else { return path }
        return try ArchiveFolder.newest(in: path) ?? path
    }

    static func requireContainer(_ path: BytePath) throws {
        switch Inspector.kind(of: path) {
        case .container: break
        case .plainFolder: throw VaultError(.notAnArchive, path: path)
        // Reports what was found instead, or that nothing was found.
        case .source where (try? FileStatus(at: path))?.kind == .folder:
            throw VaultError(.notAnArchive, path: path)
        case .source:
            do { _ = try CleartextHeader(of: path) } catch { throw VaultError(.container(error), path: path) }
        }
    }
}
