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

    /// Creates the folder at `path`, and its parents, if they are missing, durably.
    public static func makeAll(_ path: BytePath) throws(SystemError) {
        do { try make(path) } catch {
            if error.number == EEXIST { return }
            guard error.number == ENOENT, !path.parts.isEmpty else { throw error }
            try makeAll(path.parent)
            // Another process may be making the same folder.
            do { try make(path) } catch { if error.number != EEXIST { throw error } }
        }
        // A folder whose name is lost loses what is stored in it, however durable that is.
        if let holder = try? OpenFolder(holding: path) { try holder.sync() }
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

/// An open folder: its contents are reached through its descriptor, whatever happens to its path.
///
/// A name in a folder may lead to something else a moment later. Code that has opened and locked a file or folder
/// therefore passes its status along to rename or remove it: anything else that now has the name is left alone.
public final class OpenFolder: Sendable {
    /// An entry of a folder: its name, and its status (links are not followed).
    public struct Entry: Sendable {
        /// The name, as the file system has it.
        public let name: BytePath
        /// Its status.
        public let status: FileStatus
    }

    /// The path as given, for messages.
    public var path: BytePath { descriptor.path }
    private let descriptor: FileDescriptor

    /// Opens the folder at `path`.
    ///
    /// - Throws: `SystemError` if the system refuses, or if it is a link and links are not followed.
    public init(opening path: BytePath, followingLinks: Bool = true) throws(SystemError) {
        descriptor = try FileDescriptor(
            openingFolder: path, in: Syscalls.here, path, followingLinks: followingLinks)
    }

    /// Opens the parent folder of `path`.
    public convenience init(holding path: BytePath) throws(SystemError) {
        try self.init(opening: path.parent)
    }

    private init(_ descriptor: consuming FileDescriptor) { self.descriptor = descriptor }

    /// Returns the path of something in the folder, for messages.
    public func place(_ name: BytePath) -> BytePath { path == "." ? name : path / name }

    /// Returns the status of the folder.
    public func status() throws(SystemError) -> FileStatus { try descriptor.status() }

    /// Returns the status of something in the folder; a link is not followed.
    ///
    /// - Throws: `SystemError`, with `isMissing` if it does not exist.
    public func status(of path: BytePath) throws(SystemError) -> FileStatus {
        try call(path) { (folder, name) throws(Syscalls.Failure) in
            FileStatus(try Syscalls.status(name, in: folder, followingLinks: false))
        }
    }

    /// Returns the status of something in the folder; nil if it does not exist.
    public func statusIfThere(of name: BytePath) throws(SystemError) -> FileStatus? {
        do { return try status(of: name) } catch {
            if error.isMissing { return nil }
            throw error
        }
    }

    /// Opens a file in the folder.
    public func open(_ path: BytePath, _ mode: FileDescriptor.Mode) throws(SystemError) -> FileDescriptor {
        let place = place(path)
        return try holder(of: path) { (folder, name) throws(SystemError) in
            try FileDescriptor(opening: name, in: folder, place, mode)
        }
    }

    /// Opens a folder in the folder; a link is not followed.
    public func openFolder(_ path: BytePath) throws(SystemError) -> OpenFolder {
        let place = place(path)
        return OpenFolder(
            try holder(of: path) { (folder, name) throws(SystemError) in
                try FileDescriptor(openingFolder: name, in: folder, place, followingLinks: false)
            })
    }

    /// Opens the folders along a path, one inside the other, and calls `body` with the last one and the name in it.
    ///
    /// None of them may be a link, which could redirect writes to another place.
    private func holder<Result: ~Copyable>(
        of path: BytePath, _ body: (Int32, BytePath) throws(SystemError) -> Result
    ) throws(SystemError) -> Result {
        let parts = path.parts
        guard parts.count > 1, let name = parts.last else {
            return try descriptor.withNumber { (number) throws(SystemError) in try body(number, path) }
        }
        var folder = try descriptor.withNumber { (number) throws(SystemError) in
            try FileDescriptor(
                openingFolder: parts[0], in: number, place(parts[0]), followingLinks: false)
        }
        for part in parts[1..<(parts.count - 1)] {
            let place = folder.path / part
            let next = try folder.withNumber { (number) throws(SystemError) in
                try FileDescriptor(openingFolder: part, in: number, place, followingLinks: false)
            }
            folder = next
        }
        return try folder.withNumber { (number) throws(SystemError) in try body(number, name) }
    }

    /// Returns the entries of the folder, sorted by name.
    public func entries() throws(SystemError) -> [Entry] {
        let found = try call("") { (folder, _) throws(Syscalls.Failure) in
            try Syscalls.entries(in: folder)
        }
        return found.map { Entry(name: $0.name, status: FileStatus($0.status)) }
            .sorted { $0.name < $1.name }
    }

    /// Creates a folder that only its owner can enter; it must not exist yet.
    public func makeFolder(_ path: BytePath) throws(SystemError) {
        try call(path) { (folder, name) throws(Syscalls.Failure) in
            try Syscalls.makeFolder(name, in: folder, 0o700)
        }
    }

    /// Creates the folder at a path in this one, and its parents, if they are missing.
    public func makeFolders(_ path: BytePath) throws(SystemError) {
        do { try makeFolder(path) } catch {
            if error.number == EEXIST { return }
            guard error.number == ENOENT, path.parts.count > 1 else { throw error }
            try makeFolders(path.parent)
            // Another task may be making the same folder.
            do { try makeFolder(path) } catch { if error.number != EEXIST { throw error } }
        }
    }

    /// Creates a hard link to a file of this folder in `other`, under a name that must not exist yet.
    ///
    /// - Throws: `SystemError`, also if the file system supports only one name for a file; with `isReplaced` if the
    ///   name no longer belongs to the file.
    public func link(
        _ name: BytePath, being status: FileStatus, to new: BytePath, in other: OpenFolder
    ) throws(SystemError) {
        try holder(of: name) { (own, oldName) throws(SystemError) in
            try other.call(new) { (folder, newName) throws(Syscalls.Failure) in
                try Syscalls.link(oldName, in: own, to: newName, in: folder)
            }
        }
        guard try other.status(of: new).isSameFile(as: status) else {
            try? other.removeFile(new)
            throw SystemError(call: .link, path: place(name), number: ESTALE)
        }
    }

    /// Flushes the names in the folder to the device; on file systems without a journal, everything else too.
    public func sync() throws(SystemError) {
        try descriptor.sync()
        if descriptor.filesystem.needsFilesystemSync { try descriptor.syncFilesystem() }
    }

    /// Flushes everything written to the folder's file system to the device.
    public func syncFilesystem() throws(SystemError) { try descriptor.syncFilesystem() }

    /// Returns how many bytes this user can still write to the folder's file system; nil if it does not report that.
    public func freeSpace() throws(SystemError) -> Int? {
        try call("") { (folder, _) throws(Syscalls.Failure) in try Syscalls.freeSpace(folder) }
    }

    /// The kind of file system that the folder is on.
    public var filesystem: Filesystem { descriptor.filesystem }

    /// Acquires the advisory lock of the folder, waiting at most a tenth of a second.
    ///
    /// - Throws: `SystemError` with `isLocked` if another process has it.
    public func lock(exclusively: Bool) throws(SystemError) { try descriptor.lock(exclusively: exclusively) }

    /// Runs `body` with the descriptor of a path's parent folder and the name in it, and adds the path to its
    /// failure.
    func call<Result>(
        _ path: BytePath, _ body: (Int32, BytePath) throws(Syscalls.Failure) -> Result
    ) throws(SystemError) -> Result {
        let place = path.isEmpty ? self.path : place(path)
        return try holder(of: path) { (folder, name) throws(SystemError) in
            do throws(Syscalls.Failure) { return try body(folder, name) } catch { throw error.at(place) }
        }
    }
}
