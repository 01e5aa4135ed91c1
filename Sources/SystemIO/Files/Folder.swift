import Glibc

/// Folders: what is in them, and names that come and go durably.
public enum Folder: Sendable {
    /// An entry of a folder: its name as bytes, and what it is (links are not followed).
    public struct Entry: Sendable {
        /// The name, as the file system has it.
        public let name: [UInt8]
        /// What it is.
        public let status: FileStatus

        /// The name as text; bytes that are no UTF-8 show as U+FFFD.
        public var text: String { String(decoding: name, as: UTF8.self) }
    }

    /// The entries of the folder at `path`, sorted by name.
    public static func entries(of path: String) throws(SystemError) -> [Entry] {
        try entries(ofFolder: Array(path.utf8))
    }

    /// The same for a path that need not be UTF-8.
    private static func entries(ofFolder path: [UInt8]) throws(SystemError) -> [Entry] {
        let found = try wrapping(String(decoding: path, as: UTF8.self)) { () throws(Syscalls.Failure) in
            try Syscalls.entries(in: cString(path))
        }
        return found.map { Entry(name: $0.name, status: FileStatus($0.status)) }
            .sorted { $0.name.lexicographicallyPrecedes($1.name) }
    }

    private static func cString(_ path: [UInt8]) -> [CChar] { path.map { CChar(bitPattern: $0) } + [0] }

    /// Makes a folder that only its owner can enter, which must not exist yet.
    public static func make(_ path: String) throws(SystemError) {
        try wrapping(path) { () throws(Syscalls.Failure) in try Syscalls.makeFolder(path, 0o700) }
    }

    /// Makes `path` and the folders above it below `root`, where they are missing.
    public static func makeAll(_ path: String, below root: String) throws(SystemError) {
        guard path.utf8.count > root.utf8.count else { return }
        do { try make(path) } catch {
            if error.number == EEXIST { return }
            guard error.number == ENOENT else { throw error }
            try makeAll(parent(of: path), below: root)
            // Another task may be making the same folder.
            do { try make(path) } catch { if error.number != EEXIST { throw error } }
        }
    }

    /// Gives a file a second name, which must not exist yet.
    ///
    /// - Throws: `SystemError`, also where the file system knows only one name for a file.
    public static func link(_ path: String, to other: String) throws(SystemError) {
        try wrapping(other) { () throws(Syscalls.Failure) in try Syscalls.link(path, other) }
    }

    /// Removes a file.
    public static func removeFile(_ path: String) throws(SystemError) {
        try removeFile(Array(path.utf8))
    }

    private static func removeFile(_ path: [UInt8]) throws(SystemError) {
        try wrapping(String(decoding: path, as: UTF8.self)) { () throws(Syscalls.Failure) in
            try Syscalls.unlink(cString(path))
        }
    }

    /// Removes a folder with everything in it; links are removed, not followed.
    ///
    /// - Throws: `SystemError`, with the number `ENOTDIR` when `path` itself is a link or a file.
    public static func removeAll(_ path: String) throws(SystemError) {
        guard try FileStatus(at: path, followingLinks: false).kind == .folder else {
            throw SystemError(call: .opendir, path: path, number: ENOTDIR)
        }
        var pending = [Array(path.utf8)]
        var folders: [[UInt8]] = []
        while let folder = pending.popLast() {
            folders.append(folder)
            for entry in try entries(ofFolder: folder) {
                let full = folder + [UInt8(ascii: "/")] + entry.name
                if entry.status.kind == .folder { pending.append(full) } else { try removeFile(full) }
            }
        }
        for folder in folders.reversed() {
            try wrapping(String(decoding: folder, as: UTF8.self)) { () throws(Syscalls.Failure) in
                try Syscalls.removeFolder(cString(folder))
            }
        }
    }

    /// Gives a file or folder its final name, durably: rename, then a sync of the folder that holds it.
    ///
    /// Where the folder cannot be synced, nobody knows which name is on the device; the file gets its old name back,
    /// unless another file may have been replaced.
    ///
    /// - Parameters:
    ///   - from: The name it has.
    ///   - to: The name it gets.
    ///   - replacing: Whether an existing file at `to` is replaced.
    /// - Throws: `SystemError`, with `isExisting` when `to` exists and must not be replaced.
    public static func rename(_ from: String, to: String, replacing: Bool) throws(SystemError) {
        try wrapping(to) { () throws(Syscalls.Failure) in try Syscalls.rename(from, to, replacing: replacing)
        }
        do { try sync(parent(of: to)) } catch {
            if !replacing { try? Syscalls.rename(to, from, replacing: false) }
            throw error
        }
    }

    /// Lets two folders change their names, durably.
    ///
    /// Where the file system cannot do that in one step, the second one has the name `aside` for a moment.
    public static func exchange(_ first: String, with second: String, aside: String) throws(SystemError) {
        do {
            try wrapping(second) { () throws(Syscalls.Failure) in try Syscalls.exchange(first, second) }
        } catch {
            guard error.number == EINVAL || error.number == ENOSYS || error.number == ENOTSUP else {
                throw error
            }
            try rename(second, to: aside, replacing: false)
            do { try rename(first, to: second, replacing: false) } catch {
                try? rename(aside, to: second, replacing: false)
                throw error
            }
            try rename(aside, to: first, replacing: false)
        }
        do { try sync(parent(of: second)) } catch {
            // Nobody knows which names are on the device; the old ones are the safer ones.
            try? Syscalls.exchange(first, second)
            throw error
        }
    }

    /// Brings the names in a folder onto the device; on file systems without a journal everything else too.
    public static func sync(_ path: String) throws(SystemError) {
        let folder = try FileDescriptor(opening: path, .read)
        try folder.sync()
        if folder.filesystem.needsFilesystemSync { try folder.syncFilesystem() }
    }

    /// The absolute path without links, `.` and `..` of something that exists.
    public static func canonical(_ path: String) throws(SystemError) -> String {
        try wrapping(path) { () throws(Syscalls.Failure) in try Syscalls.canonical(path) }
    }

    /// The path from the root, with no links in the folder that it leads to as far as that exists.
    public static func absolute(_ path: String) -> String {
        let path = withoutSlash(path)
        if let folder = try? canonical(parent(of: path)), name(of: path) != ".", name(of: path) != ".." {
            return (folder == "/" ? "" : folder) + "/" + name(of: path)
        }
        if let whole = try? canonical(path) { return whole }
        guard !path.startsWithBytes(of: "/"), let here = try? canonical(".") else { return path }
        return here + "/" + path
    }

    /// The path without slashes at its end.
    public static func withoutSlash(_ path: String) -> String {
        let bytes = path.utf8
        let end = bytes.lastIndex { $0 != UInt8(ascii: "/") }
        guard let end else { return bytes.isEmpty ? "" : "/" }
        return String(Substring(bytes[...end]))
    }

    /// The folder that holds `path`.
    public static func parent(of path: String) -> String {
        let isAbsolute = path.startsWithBytes(of: "/")
        let joined = RelativePath.parts(of: path).filter { !$0.isEmpty }.dropLast().joined(separator: "/")
        return isAbsolute ? "/" + joined : joined.isEmpty ? "." : joined
    }

    /// The path of what bears a name in the folder that holds `path`.
    public static func path(of name: String, beside path: String) -> String {
        let folder = parent(of: path)
        return folder == "." ? name : (folder == "/" ? "" : folder) + "/" + name
    }

    /// The last part of `path`.
    public static func name(of path: String) -> String {
        RelativePath.parts(of: path).last { !$0.isEmpty } ?? path
    }
}
