import ArchiveWriting
public import ByteText
import HealthArchive
public import SystemIO

/// The exports in the folder of a destination, found by their names.
public struct Shelf: Sendable {
    private let folder: BytePath
    private let archives: Set<ArchiveName>
    private let folders: Set<ArchiveName>
    private let unfinishedArchives: Set<ArchiveName>
    private let unfinishedFolders: Set<ArchiveName>
    /// The archives of which a power failure has left nothing but a file of zeros.
    private let blankArchives: Set<ArchiveName>

    /// Whether a file in the folder has the suffix of an archive, whatever its name is otherwise.
    let hasArchives: Bool

    private static let unfinishedSuffix: BytePath = ".part"
    private static let archiveSuffixes = [FurtherName.suffix, VolumeName.volume(1, of: FurtherName.suffix)]

    /// Lists the exports in a folder.
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
        archives = Self.archiveSuffixes.reduce([]) { $0.union(names(.file, $1)) }
        hasArchives = entries.contains { entry in
            entry.status.kind == .file
                && Self.archiveSuffixes.contains { entry.name.dropping(suffix: $0) != nil }
        }
        folders = names(.folder, "")
        let unfinished = names(.file, FurtherName.suffix + Self.unfinishedSuffix)
        blankArchives = unfinished.filter {
            UnfinishedOutput.isBlank(ofTarget: folder / $0.base + FurtherName.suffix)
        }
        unfinishedArchives = unfinished.subtracting(blankArchives)
        unfinishedFolders = names(.folder, Self.unfinishedSuffix)
    }

    /// The newest archive; nil if there is none.
    ///
    /// A file that merely has the name of an archive does not count.
    public var newestArchive: BytePath? {
        archives.sorted().reversed().lazy.map { folder / $0.base + FurtherName.suffix }
            .first { OutputIdentity.of($0, isEncrypted: true) != nil }
    }

    /// Returns the path for a new export: that of an unfinished one that can be continued, or else an unused one.
    ///
    /// - Parameters:
    ///   - day: The day of the export.
    ///   - isOurs: Returns whether an unfinished export with this identity is known; a file that merely looks like one
    ///     may be a copy that is still being made.
    public func target(isEncrypted: Bool, day: CivilDate, continuing isOurs: (String) -> Bool) -> BytePath {
        let suffix = isEncrypted ? FurtherName.suffix : "" as BytePath
        let (finished, unfinished) =
            isEncrypted ? (archives, unfinishedArchives) : (folders, unfinishedFolders)
        let known = unfinished.subtracting(finished).sorted().reversed().lazy.filter {
            $0.addition == nil && $0.first.day == day
        }
        .map { folder / $0.base + suffix }
        .first { path in
            UnfinishedOutput.identity(ofTarget: path, isEncrypted: isEncrypted).map(isOurs) ?? false
        }
        if let known { return known }
        return folder / free { ArchiveName(ArchiveName.Part(day: day, number: $0)) }.base + suffix
    }

    /// Returns the path for an archive that continues another one.
    ///
    /// - Parameters:
    ///   - day: The day of the export.
    ///   - isOurs: As for ``target(isEncrypted:day:continuing:)``.
    func next(after archive: BytePath, day: CivilDate, continuing isOurs: (String) -> Bool) -> BytePath {
        guard let stem = archive.name.dropping(suffix: FurtherName.suffix), let name = ArchiveName(stem)
        else {
            return FurtherName.next(after: archive)
        }
        // An unfinished one of ours does not count: it is continued. Neither does one that opens for nobody yet, which was
        // interrupted before anybody could note that it is ours.
        let known = unfinishedArchives.filter { name in
            let path = folder / name.base + FurtherName.suffix
            guard let identity = UnfinishedOutput.identity(ofTarget: path, isEncrypted: true) else {
                return false
            }
            return isOurs(identity) || UnfinishedOutput.opensForNobody(ofTarget: path)
        }
        let next = free(besides: known) {
            ArchiveName(name.first, adding: ArchiveName.Part(day: day, number: $0))
        }
        return folder / next.base + FurtherName.suffix
    }

    /// Returns the first of several names that no export has.
    private func free(besides others: Set<ArchiveName> = [], _ name: (Int) -> ArchiveName) -> ArchiveName {
        let taken = archives.union(folders).union(unfinishedArchives.subtracting(others))
            .union(unfinishedFolders)
        var number = 1
        while taken.contains(name(number)) { number += 1 }
        return name(number)
    }

    /// Returns the unfinished exports other than the one at a path; a blank one has no identity.
    ///
    /// - Parameters:
    ///   - target: The path of the export that is being made.
    ///   - isOurs: As for ``target(isEncrypted:day:continuing:)``.
    public func abandoned(
        besides target: BytePath, _ isOurs: (String) -> Bool
    ) -> [(path: BytePath, isEncrypted: Bool, identity: String?)] {
        let archives = unfinishedArchives.sorted().map { (folder / $0.base + FurtherName.suffix, true) }
        let folders = unfinishedFolders.sorted().map { (folder / $0.base, false) }
        let ours: [(BytePath, Bool, String?)] = (archives + folders).compactMap { path, isEncrypted in
            guard let identity = UnfinishedOutput.identity(ofTarget: path, isEncrypted: isEncrypted),
                isOurs(identity)
            else { return nil }
            return (path, isEncrypted, identity)
        }
        let blank = blankArchives.sorted().map { name -> (BytePath, Bool, String?) in
            (folder / name.base + FurtherName.suffix, true, nil)
        }
        return (ours + blank).filter { $0.0 != target }
    }
}
