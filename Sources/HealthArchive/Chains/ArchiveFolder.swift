public import SystemIO
import VaultContainer

/// A folder of archives, of which the newest can stand for all that it continues.
public enum ArchiveFolder: Sendable {
    /// Returns the newest archive in a folder, by the names that exports give: the last one of the series of the last day.
    ///
    /// - Returns: nil if the path is not a folder, or has no archive in it.
    /// - Throws: `VaultError.severalArchives` if their names do not tell which one is the newest.
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
