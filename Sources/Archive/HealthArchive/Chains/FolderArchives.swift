package import SystemIO
package import VaultContainer

/// The archives in a folder that a key opens, told apart by what they contain.
///
/// Which archive continues which, and of which export each is, is authentic; their names are not looked at except to
/// break ties. So neither a renamed archive nor a clock decides what is newest.
package struct FolderArchives: Sendable {
    /// An archive that no other one in the folder continues, with those that it continues.
    package struct Newest: Sendable, Equatable {
        /// The path of the archive.
        package let path: BytePath
        /// The identifiers of the archive and of those that it continues, newest first.
        package let identifiers: [String]
        /// Their paths, in the same order.
        package let paths: [BytePath]
        /// The date of the newest export inside; nil if it is not known.
        package let exported: OrderedDate?
    }

    /// The archives that no other one continues, the newest export first.
    package let newest: [Newest]
    /// The archives that are not open: their key is another one, or they are damaged or lack a predecessor.
    package let closed: [BytePath]
    /// The path of an archive that continues another one, by the identifier of that one.
    private let followers: [String: BytePath]
    /// The files with names of archives.
    private let candidates: [BytePath]

    /// Opens the archives in a folder.
    ///
    /// With a passphrase, a key is derived for each chain, unless the passphrase has it already.
    ///
    /// - Throws: `SystemError` if the folder cannot be read.
    package init(in folder: BytePath, key: ArchiveKey) throws(SystemError) {
        var found: [Newest] = []
        var closed: [BytePath] = []
        var followers: [String: BytePath] = [:]
        candidates = try Self.candidates(in: folder)
        for path in candidates {
            let claimed = CleartextHeader.identifiers(of: path)
            guard !claimed.isEmpty, !found.contains(where: { !claimed.isDisjoint(with: $0.identifiers) })
            else {
                continue
            }
            do {
                let chain = try ContainerChain(opening: path, key: key)
                let manifest = try ManifestReader.read(try chain.manifest())
                let chained = Newest(path: path, chain, exported: manifest.dateInOrder)
                found.append(chained)
                for (link, older) in zip(chained.paths, chained.identifiers.dropFirst()) {
                    followers[older] = link
                }
            } catch {
                closed.append(path)
                // What it continues may be known although that is missing or damaged.
                if let reader = try? ContainerReader(opening: path, key: key),
                    let link = try? ChainLink(path, reader, acceptingDamage: false),
                    let continuation = link.continuation
                {
                    followers[continuation.vault] = path
                }
            }
        }
        self.closed = closed
        self.followers = followers
        newest = found.filter { followers[$0.identifiers[0]] == nil }.sorted { $0.isNewer(than: $1) }
    }

    /// The files that lead to all archives in the folder: the newest of each chain, the newest export first, and those
    /// that are in none: copies, and what cannot be opened.
    package var starts: [BytePath] {
        let chained = Set(newest.flatMap(\.paths))
        return newest.map(\.path) + candidates.filter { !chained.contains($0) }
    }

    /// Returns the archive that continues the one with an identifier; nil if none does.
    package func follower(of identifier: String) -> BytePath? { followers[identifier] }

    /// Returns how many files have an identifier: the archive with it, and its copies.
    package func copies(of identifier: String) -> Int {
        candidates.count { CleartextHeader.identifiers(of: $0).contains(identifier) }
    }

    /// Returns the files with names of archives, those that seem newest first.
    static func candidates(in folder: BytePath) throws(SystemError) -> [BytePath] {
        let names = try Folder.entries(of: folder).filter { $0.status.kind == .file }
            .compactMap { entry in FurtherName.parts(of: entry.name).map { (entry.name, $0) } }
        return names.sorted { left, right in
            let (mine, theirs) = (ArchiveName(left.1.stem), ArchiveName(right.1.stem))
            if let mine, let theirs, mine != theirs { return mine > theirs }
            return (left.1.stem, right.1.number, right.0) < (right.1.stem, left.1.number, left.0)
        }.map { folder / (VolumeName.whole(ofFirst: $0.0) ?? $0.0) }
    }
}

extension FolderArchives {
    /// Returns the files with names of archives in a folder and in those below it, in each folder those that seem newest
    /// first; links are not followed.
    package static func paths(below folder: BytePath) throws(SystemError) -> [BytePath] {
        var paths: [BytePath] = []
        var pending = [folder]
        while let next = pending.popLast() {
            paths += try candidates(in: next)
            let folders = try Folder.entries(of: next).filter { $0.status.kind == .folder }
            pending += folders.reversed().map { next / $0.name }
        }
        return paths
    }
}

extension FolderArchives.Newest {
    fileprivate init(path: BytePath, _ chain: ContainerChain, exported: OrderedDate?) {
        self.init(
            path: path, identifiers: chain.links.map { $0.reader.identifier },
            paths: chain.links.map { VolumeName.whole(ofFirst: $0.path) ?? $0.path }, exported: exported)
    }

    /// Whether the export inside is newer than that of another archive; an unknown time is older than any.
    fileprivate func isNewer(than other: Self) -> Bool {
        exported == other.exported ? other.path < path : exported.isAfter(other.exported)
    }
}
