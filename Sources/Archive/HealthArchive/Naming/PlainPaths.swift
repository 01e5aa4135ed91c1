import SystemIO
package import VaultContainer

/// Checks the paths that the entries of a container have in a plain folder.
package enum PlainPaths: Sendable {
    /// The names that are reserved for the files of a plain folder itself.
    private static let reserved: Set<BytePath> = [EntryPath.checksums, EntryPath.unfinishedMark]

    /// Checks that each path is that of one file, not of a folder, with adjacent pieces numbered from 0 without gaps.
    ///
    /// Only a holder of the key can make a container that violates this.
    ///
    /// - Throws: `entryMismatch` with the entry that violates the rule.
    package static func check(_ entries: [ContainerEntry]) throws(ContainerError) {
        var files = reserved
        var folders: Set<BytePath> = []
        files.reserveCapacity(entries.count + reserved.count)
        var open: (path: BytePath, next: Int)?
        var lastFolder: BytePath = "."
        for entry in entries {
            let path: BytePath
            switch StoredEntry(entry.name) {
            case .piece(let owner, let number):
                let next = open?.path == owner ? open?.next ?? 0 : 0
                guard number == next else { throw ContainerError(.entryMismatch, entry: entry.name) }
                open = (owner, next + 1)
                if number > 0 { continue }
                path = owner
            case let kind:
                path = kind.plainPath(ofEntry: entry.name)
                open = nil
            }
            guard files.insert(path).inserted else {
                throw ContainerError(.entryMismatch, entry: entry.name)
            }
            // Entries of one folder are mostly adjacent.
            if path.isChild(of: lastFolder) { continue }
            var folder = path.parent
            lastFolder = folder
            while folder != ".", folders.insert(folder).inserted { folder = folder.parent }
        }
        // There are far fewer folders than files, among which the reserved names are.
        guard let clash = folders.first(where: { files.contains($0) }) else { return }
        throw ContainerError(.entryMismatch, entry: clash)
    }
}
