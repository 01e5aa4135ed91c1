import Glibc

/// Operations on folders by path, for uses where it does not matter what the path leads to a moment later.
public enum Folder: Sendable {
    /// Returns the entries of the folder at `path`, sorted by name.
    public static func entries(of path: BytePath) throws(SystemError) -> [OpenFolder.Entry] {
        try OpenFolder(opening: path).entries()
    }

    /// Creates a folder that only its owner can enter; it must not exist yet.
    public static func make(_ path: BytePath) throws(SystemError) {
        try wrapping(path) { () throws(Syscalls.Failure) in try Syscalls.makeFolder(path, 0o700) }
    }

    /// Creates the folder at `path`, and its parents, if they are missing.
    public static func makeAll(_ path: BytePath) throws(SystemError) {
        do { try make(path) } catch {
            if error.number == EEXIST { return }
            guard error.number == ENOENT, !path.parts.isEmpty else { throw error }
            try makeAll(path.parent)
            // Another process may be making the same folder.
            do { try make(path) } catch { if error.number != EEXIST { throw error } }
        }
    }

    /// Removes the folder at `path` with everything in it; links are removed, not followed.
    ///
    /// - Throws: `SystemError`, with the number `ENOTDIR` if `path` itself is a file, and `ELOOP` if it is a link.
    public static func removeAll(_ path: BytePath) throws(SystemError) {
        let holder = try OpenFolder(holding: path)
        try holder.removeFolder(path.name, being: try holder.openFolder(path.name))
    }

    /// Returns the absolute path of an existing file or folder, without links, `.` and `..`.
    public static func canonical(_ path: BytePath) throws(SystemError) -> BytePath {
        try wrapping(path) { () throws(Syscalls.Failure) in try Syscalls.canonical(path) }
    }

    /// Returns the path from the root, with the links in its parent folder resolved if that exists.
    public static func absolute(_ path: BytePath) -> BytePath {
        let path = path.withoutTrailingSlashes
        if path == "/" { return path }
        if let folder = try? canonical(path.parent), path.name != ".", path.name != ".." {
            return folder / path.name
        }
        if let whole = try? canonical(path) { return whole }
        guard !path.isAbsolute, let here = try? canonical(".") else { return path }
        return here / path
    }
}
