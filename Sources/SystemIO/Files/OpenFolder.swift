import Glibc

/// A folder that is open: what is in it is reached through it, whatever becomes of its path meanwhile.
///
/// A name in a folder may lead to something else a moment later. So who has opened and locked a file, or a folder, hands
/// its status along where its name is to be changed or removed: something else that has got the name stays as it is.
public final class OpenFolder: Sendable {
    /// An entry of a folder: its name, and what it is (links are not followed).
    public struct Entry: Sendable {
        /// The name, as the file system has it.
        public let name: BytePath
        /// What it is.
        public let status: FileStatus
    }

    /// The path as given, for messages.
    public var path: BytePath { descriptor.path }
    private let descriptor: FileDescriptor

    /// Opens the folder at `path`.
    ///
    /// - Throws: `SystemError` when the system refuses; also where it is a link that is not to be followed.
    public init(opening path: BytePath, followingLinks: Bool = true) throws(SystemError) {
        descriptor = try FileDescriptor(
            openingFolder: path, in: Syscalls.here, path, followingLinks: followingLinks)
    }

    /// Opens the folder that holds what `path` leads to.
    public convenience init(holding path: BytePath) throws(SystemError) {
        try self.init(opening: path.parent)
    }

    private init(_ descriptor: consuming FileDescriptor) { self.descriptor = descriptor }

    /// Where something in the folder lies, for messages.
    public func place(_ name: BytePath) -> BytePath { path == "." ? name : path / name }

    /// What the folder is.
    public func status() throws(SystemError) -> FileStatus { try descriptor.status() }

    /// What bears a name in the folder; a link is not followed.
    ///
    /// - Throws: `SystemError`, with `isMissing` where nothing does.
    public func status(of path: BytePath) throws(SystemError) -> FileStatus {
        try call(path) { (folder, name) throws(Syscalls.Failure) in
            FileStatus(try Syscalls.status(name, in: folder, followingLinks: false))
        }
    }

    /// The same, nil where nothing bears the name.
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

    /// Opens the folders on the way to a path, one in the other, and gives the last one to `body`.
    ///
    /// None of them may be a link: whoever could put one there could have files written elsewhere.
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

    /// What is in the folder, sorted by name.
    public func entries() throws(SystemError) -> [Entry] {
        let found = try call("") { (folder, _) throws(Syscalls.Failure) in
            try Syscalls.entries(in: folder)
        }
        return found.map { Entry(name: $0.name, status: FileStatus($0.status)) }
            .sorted { $0.name < $1.name }
    }

    /// Makes a folder that only its owner can enter, which must not exist yet.
    public func makeFolder(_ path: BytePath) throws(SystemError) {
        try call(path) { (folder, name) throws(Syscalls.Failure) in
            try Syscalls.makeFolder(name, in: folder, 0o700)
        }
    }

    /// Makes the folder at a path in this one, and those on the way, where they are missing.
    public func makeFolders(_ path: BytePath) throws(SystemError) {
        do { try makeFolder(path) } catch {
            if error.number == EEXIST { return }
            guard error.number == ENOENT, path.parts.count > 1 else { throw error }
            try makeFolders(path.parent)
            // Another task may be making the same folder.
            do { try makeFolder(path) } catch { if error.number != EEXIST { throw error } }
        }
    }

    /// Gives a file of this folder another name in `other`, which must not exist yet.
    ///
    /// - Throws: `SystemError`, also where the file system knows only one name for a file; with `isReplaced` where the name
    ///   is not that of the file any more.
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

    /// Brings the names in the folder onto the device; on file systems without a journal everything else too.
    public func sync() throws(SystemError) {
        try descriptor.sync()
        if descriptor.filesystem.needsFilesystemSync { try descriptor.syncFilesystem() }
    }

    /// Brings everything onto the device that was written to the folder's file system.
    public func syncFilesystem() throws(SystemError) { try descriptor.syncFilesystem() }

    /// Takes the advisory lock of the folder, waiting no longer than a tenth of a second.
    ///
    /// - Throws: `SystemError` with `isLocked` when another process has it.
    public func lock(exclusively: Bool) throws(SystemError) { try descriptor.lock(exclusively: exclusively) }

    /// Makes a call with the descriptor of the folder that holds what a path leads to, and with its name there; names the
    /// path in its failure.
    func call<Result>(
        _ path: BytePath, _ body: (Int32, BytePath) throws(Syscalls.Failure) -> Result
    ) throws(SystemError) -> Result {
        let place = path.isEmpty ? self.path : place(path)
        return try holder(of: path) { (folder, name) throws(SystemError) in
            do throws(Syscalls.Failure) { return try body(folder, name) } catch { throw error.at(place) }
        }
    }
}
