import ByteText
public import SystemIO
public import VaultContainer

/// A folder of archives, the newest of which also provides the contents of those that it continues.
///
/// Names suggest which one is the newest; the archives themselves decide once they are open.
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

    /// Returns the newest archive of a folder, judging by what the archives contain.
    ///
    /// - Parameters:
    ///   - suggested: The newest one by name, as ``newest(in:)`` returns it.
    ///   - folder: The folder; any other path leaves the suggestion as it is.
    ///   - key: The key of the archives.
    /// - Returns: The suggestion, if the export inside is of the day in its name, or cannot be opened; else the archive
    ///   with the newest export. A name that says too early a day is believed: it hides an archive no better than
    ///   removing it would.
    /// - Throws: `VaultError`.
    public static func confirmed(
        _ suggested: BytePath, in folder: BytePath, key: ArchiveKey
    ) throws(VaultError) -> BytePath {
        guard suggested != folder, (try? FileStatus(at: folder))?.kind == .folder,
            let chain = try? ContainerChain(opening: suggested, key: key)
        else { return suggested }
        do {
            let manifest = try ManifestReader.read(try chain.manifest())
            let name = FurtherName.parts(of: suggested.name).flatMap { ArchiveName($0.stem) }
            if let name, let date = manifest.dateInOrder, date.isPlausible, name.day == manifest.exported?.day
            {
                return suggested
            }
            return try FolderArchives(in: folder, key: key).newest.first?.path ?? suggested
        } catch { throw VaultError.wrapping(error, path: folder) }
    }
}
