import SystemIO
import VaultContainer

/// The paths that the entries of a container have in a plain folder.
enum PlainPaths: Sendable {
    /// Names of a plain folder's own, which no entry may have.
    private static let reserved: Set<BytePath> = [EntryPath.checksums, EntryPath.unfinishedMark]

    /// Each path is that of one file, whose pieces stand together, numbered from 0 without a gap, and of no folder.
    ///
    /// Only a holder of the key can make a container of which that is not true.
    ///
    /// - Throws: `entryMismatch` with the entry that breaks the rule.
    static func check(_ entries: [ContainerEntry]) throws(ContainerError) {
        var files = reserved
        var folders: Set<BytePath> = []
        files.reserveCapacity(entries.count + reserved.count)
        var open: (path: BytePath, next: Int)?
        for entry in entries {
            let path: BytePath
            if case .piece(let owner, let number) = StoredEntry(entry.name) {
                let next = open?.path == owner ? open?.next ?? 0 : 0
                guard number == next else { throw ContainerError(.entryMismatch, entry: entry.name) }
                open = (owner, next + 1)
                if number > 0 { continue }
                path = owner
            } else {
                path = StoredEntry.plainPath(ofEntry: entry.name)
                open = nil
            }
            guard files.insert(path).inserted else {
                throw ContainerError(.entryMismatch, entry: entry.name)
            }
            // Entries of one folder mostly stand together.
            var folder = path.parent
            while folder != ".", folders.insert(folder).inserted { folder = folder.parent }
        }
        let clash = files.first { folders.contains($0) } ?? reserved.first { folders.contains($0) }
        guard let clash else { return }
        throw ContainerError(.entryMismatch, entry: clash)
    }
}
