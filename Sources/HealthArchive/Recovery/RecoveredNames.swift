import SystemIO

/// Which names a folder of recovered files has, so that no two things get the same, nor names that a file system may take
/// for the same.
final class RecoveredNames {
    /// Files that have their names.
    private var taken: Set<FoldedPath>
    /// Folders that they lie in, as they are spelled.
    private var folders: [FoldedPath: BytePath] = [:]
    /// All numbers below are taken: thousands of entries can have one name.
    private var numbers: [FoldedPath: Int] = [:]
    /// Names that whole entries will want.
    private let wanted: Set<FoldedPath>

    init(_ entries: [BytePath]) {
        taken = Set(
            [EntryPath.recoveryReport, EntryPath.checksums, EntryPath.unfinishedMark].map { FoldedPath($0) })
        wanted = Set(entries.map { FoldedPath(StoredEntry.plainPath(ofEntry: $0)) })
    }

    /// Takes a name for something whole: its own, or another one where that is gone.
    func takePlain(_ name: BytePath) -> BytePath {
        if take(name) { return name }
        let key = FoldedPath(name)
        var number = numbers[key] ?? 2
        defer { numbers[key] = number + 1 }
        while true {
            // Where one of its folders has the name of something else, it needs another folder.
            for other: BytePath in ["\(name)~\(number)", "renamed/\(number)/\(name.name)"]
            where !wanted.contains(FoldedPath(other)) && take(other) {
                return other
            }
            number += 1
        }
    }

    /// Takes a name for something with holes.
    func takeRecovered(_ stem: BytePath) -> BytePath {
        let name = stem + Recoverer.suffix
        return wanted.contains(FoldedPath(name)) ? takePlain(name + "~") : takePlain(name)
    }

    /// Takes a name, if no file system takes it, or one of the folders in it, for something else.
    private func take(_ name: BytePath) -> Bool {
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
