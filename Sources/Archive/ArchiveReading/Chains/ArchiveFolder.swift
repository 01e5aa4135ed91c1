public import ArchiveManifest
public import SystemIO
import VaultContainer

/// A folder of archives, the newest of which also provides the contents of those that it continues.
public enum ArchiveFolder: Sendable {
    /// Returns the newest archive in a folder, judging by the names: the last one in the latest series.
    ///
    /// - Returns: nil if the path is not a folder, or the folder contains no archive.
    /// - Throws: `VaultError.severalArchives` if the names do not show which one is the newest.
    public static func newest(in folder: BytePath) throws(VaultError) -> BytePath? {
        guard let status = try? FileStatus(at: folder), status.kind == .folder else { return nil }
        var series: [BytePath: (number: Int, name: BytePath)] = [:]
        do {
            for entry in try Folder.entries(of: folder) where entry.status.kind == .file {
                guard let found = FurtherName.parts(of: entry.name) else { continue }
                if let known = series[found.stem], known.number >= found.number { continue }
                series[found.stem] = (found.number, entry.name)
            }
        } catch { throw VaultError.wrapping(error, path: folder) }
        let dated = series.compactMap { stem, newest in ArchiveName(stem).map { ($0, newest.name) } }
        if dated.count == series.count, let newest = dated.max(by: { $0.0 < $1.0 }) {
            return folder / newest.1
        }
        guard series.count <= 1 else { throw VaultError(.severalArchives, path: folder) }
        return series.values.first.map { folder / $0.name }
    }
}
