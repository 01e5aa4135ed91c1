import HealthArchive
import SystemIO

/// The names in a folder of recovered files, assigned so that no file system can confuse two of them.
final class RecoveredNames {
    /// The names that are in use.
    private var taken: Set<FoldedPath>
    /// The folders that contain them, in their exact spelling.
    private var folders: [FoldedPath: BytePath] = [:]
    /// The lowest number that may be free for each name: thousands of entries can have the same name.
    private var numbers: [FoldedPath: Int] = [:]
    /// The names of entries that may still be recovered whole.
    private let wanted: Set<FoldedPath>

    init(_ entries: [BytePath]) {
        taken = Set(
            [EntryPath.recoveryReport, EntryPath.checksums, EntryPath.unfinishedMark].map { FoldedPath($0) })
        wanted = Set(entries.map { FoldedPath(StoredEntry.plainPath(ofEntry: $0)) })
    }

    /// Reserves a name for a whole file: its own, or another one if that is in use.
    func reservePlain(_ name: BytePath) -> BytePath {
        if reserve(name) { return name }
        let key = FoldedPath(name)
        var number = numbers[key] ?? 2
        defer { numbers[key] = number + 1 }
        while true {
            // If the name of one of its folders is in use by something else, it needs another folder.
            for other: BytePath in ["\(name)~\(number)", "renamed/\(number)/\(name.name)"]
            where !wanted.contains(FoldedPath(other)) && reserve(other) {
                return other
            }
            number += 1
        }
    }

    /// Reserves a name for a file with holes.
    func reserveRecovered(_ stem: BytePath) -> BytePath {
        let name = stem + Recoverer.suffix
        return wanted.contains(FoldedPath(name)) ? reservePlain(name + "~") : reservePlain(name)
    }

    /// Reserves a name, unless a file system may confuse it, or one of its folders, with something else.
    private func reserve(_ name: BytePath) -> Bool {
        let key = FoldedPath(name)
        guard !taken.contains(key), folders[key] == nil else { return false }
        var parents: [BytePath] = []
        var folder = name.parent
        while folder != "." {
            parents.append(folder)
            folder = folder.parent
        }
        guard
            parents.allSatisfy({ parent in
                let key = FoldedPath(parent)
                return !taken.contains(key) && folders[key].map { $0 == parent } ?? true
            })
        else { return false }
        taken.insert(key)
        for parent in parents { folders[FoldedPath(parent)] = parent }
        return true
    }
}
