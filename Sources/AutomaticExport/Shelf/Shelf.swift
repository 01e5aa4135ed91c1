import HealthArchive
public import SampleBatches
public import SystemIO

/// The exports in the folder of a destination, by their names.
public struct Shelf: Sendable {
    private let folder: BytePath
    private let archives: Set<ArchiveName>
    private let folders: Set<ArchiveName>
    private let unfinishedArchives: Set<ArchiveName>
    private let unfinishedFolders: Set<ArchiveName>

    private static let unfinishedSuffix: BytePath = ".part"

    /// Looks at what is in a folder.
    ///
    /// - Throws: `SystemError`.
    public init(_ folder: BytePath) throws(SystemError) {
        self.folder = folder
        let entries = try Folder.entries(of: folder)
        func names(_ kind: FileStatus.Kind, _ suffix: BytePath) -> Set<ArchiveName> {
            Set(
                entries.lazy.filter { $0.status.kind == kind }
                    .compactMap { $0.name.dropping(suffix: suffix).flatMap { ArchiveName($0) } })
        }
        let inOnePiece = names(.file, FurtherName.suffix)
        archives = inOnePiece.union(names(.file, VolumeName.volume(1, of: FurtherName.suffix)))
        folders = names(.folder, "")
        unfinishedArchives = names(.file, FurtherName.suffix + Self.unfinishedSuffix)
        unfinishedFolders = names(.folder, Self.unfinishedSuffix)
    }

    /// The newest archive; nil if there is none.
    public var newestArchive: BytePath? { archives.max().map { folder / $0.base + FurtherName.suffix } }

    /// Returns the path for a new export: that of an unfinished one which can be continued, or else a free one.
    ///
    /// - Parameter day: The day of the run.
    public func target(isEncrypted: Bool, day: CivilDate) -> BytePath {
        let suffix = isEncrypted ? FurtherName.suffix : "" as BytePath
        let (finished, unfinished) =
            isEncrypted ? (archives, unfinishedArchives) : (folders, unfinishedFolders)
        if let name = unfinished.subtracting(finished).filter({ $0.link == 1 }).max() {
            return folder / name.base + suffix
        }
        var name = ArchiveName(day: day)
        let taken = archives.union(folders).union(unfinishedArchives).union(unfinishedFolders)
        while taken.contains(name) { name = ArchiveName(day: day, series: name.series + 1) }
        return folder / name.base + suffix
    }

    /// Returns the unfinished exports that the one at a path does not continue.
    ///
    /// - Parameter target: The path of the export that is being made.
    public func abandoned(besides target: BytePath) -> [(path: BytePath, isEncrypted: Bool)] {
        (unfinishedArchives.sorted().map { (folder / $0.base + FurtherName.suffix, true) }
            + unfinishedFolders.sorted().map { (folder / $0.base, false) })
            .filter { $0.0 != target }
    }
}
