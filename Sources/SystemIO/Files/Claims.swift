import Glibc

/// Files and folders that a process has for itself, under a name that others know.
extension OpenFolder {
    /// Opens a file and locks it, and makes sure that it is still what bears the name.
    ///
    /// Between opening and locking another process may have removed it, or put another one in its place.
    ///
    /// - Throws: `SystemError` with `isLocked` where another process has it, or has just had it.
    public func claim(_ name: BytePath, _ mode: FileDescriptor.Mode) throws(SystemError) -> FileDescriptor {
        let file = try open(name, mode)
        do throws(SystemError) {
            try file.lock(exclusively: true)
            try requireName(name, of: file.status())
        } catch {
            // What was made here and cannot be locked is of no use to anybody.
            if mode == .create, !error.isLocked, let status = try? file.status() {
                try? removeFile(name, being: status)
            }
            throw error
        }
        return file
    }

    /// The same for a folder.
    public func claimFolder(_ name: BytePath) throws(SystemError) -> OpenFolder {
        let folder = try openFolder(name)
        try folder.lock(exclusively: true)
        try requireName(name, of: folder.status())
        return folder
    }

    private func requireName(_ name: BytePath, of status: FileStatus) throws(SystemError) {
        guard try isName(name, of: status) else {
            throw SystemError(call: .flock, path: place(name), number: EWOULDBLOCK)
        }
    }

    private func isName(_ name: BytePath, of status: FileStatus) throws(SystemError) -> Bool {
        try statusIfThere(of: name)?.isSameFile(as: status) == true
    }

    private func requireStill(
        _ name: BytePath, _ status: FileStatus, for call: SystemCall
    ) throws(SystemError) {
        guard try isName(name, of: status) else {
            throw SystemError(call: call, path: place(name), number: ESTALE)
        }
    }

    /// Gives a file or folder its final name, durably: rename, then a sync of the folder.
    ///
    /// Where the folder cannot be synced, nobody knows which name is on the device; the file gets its old name back,
    /// unless another file may have been replaced.
    ///
    /// - Parameters:
    ///   - name: The name it has.
    ///   - status: What has the name.
    ///   - new: The name it gets.
    ///   - replaced: What has that name and is replaced; nil where nothing is.
    /// - Throws: `SystemError`, with `isExisting` when `new` exists and must not be replaced, with `isReplaced` where
    ///   something else has got one of the names.
    public func rename(
        _ name: BytePath, being status: FileStatus, to new: BytePath, replacing replaced: FileStatus? = nil
    ) throws(SystemError) {
        try requireStill(name, status, for: .rename)
        if let replaced { try requireStill(new, replaced, for: .rename) }
        try call(new) { (folder, _) throws(Syscalls.Failure) in
            try Syscalls.rename(name, to: new, in: folder, replacing: replaced != nil)
        }
        do {
            try requireStill(new, status, for: .rename)
            try sync()
        } catch {
            // What another process has put there is not given another name.
            if replaced == nil, !error.isReplaced {
                try? call(new) { (folder, _) throws(Syscalls.Failure) in
                    try Syscalls.rename(new, to: name, in: folder, replacing: false)
                }
            }
            throw error
        }
    }

    /// Lets a folder change its name with another one, durably.
    ///
    /// Where the file system cannot do that in one step, the other one has the name `aside` for a moment.
    ///
    /// - Parameters:
    ///   - name: The name it has.
    ///   - status: What has the name.
    ///   - other: The name of the other one.
    ///   - otherStatus: What has that.
    ///   - aside: A name that nothing has.
    /// - Throws: `SystemError`, with `isReplaced` where something else has got one of the names.
    public func exchange(
        _ name: BytePath, being status: FileStatus, with other: BytePath, being otherStatus: FileStatus,
        aside: BytePath
    ) throws(SystemError) {
        try requireStill(name, status, for: .rename)
        try requireStill(other, otherStatus, for: .rename)
        do {
            try call(other) { (folder, _) throws(Syscalls.Failure) in
                try Syscalls.exchange(name, other, in: folder)
            }
        } catch {
            guard [EINVAL, ENOSYS, ENOTSUP].contains(error.number) else { throw error }
            try rename(other, being: otherStatus, to: aside)
            do { try rename(name, being: status, to: other) } catch {
                try? rename(aside, being: otherStatus, to: other)
                throw error
            }
            try rename(aside, being: otherStatus, to: name)
        }
        do { try sync() } catch {
            // Nobody knows which names are on the device; the old ones are the safer ones.
            try? call(other) { (folder, _) throws(Syscalls.Failure) in
                try Syscalls.exchange(name, other, in: folder)
            }
            throw error
        }
    }

    /// Removes a file, if it is still what has the name.
    ///
    /// - Throws: `SystemError`, with `isReplaced` where it is not.
    public func removeFile(_ name: BytePath, being status: FileStatus) throws(SystemError) {
        try requireStill(name, status, for: .unlink)
        try removeFile(name)
    }

    /// Removes a file from a folder that nobody else works in.
    public func removeFile(_ path: BytePath) throws(SystemError) {
        try call(path) { (folder, name) throws(Syscalls.Failure) in try Syscalls.unlink(name, in: folder) }
    }

    /// Removes a folder of this one with everything in it, if it is still what has the name; links are removed, not
    /// followed.
    ///
    /// - Throws: `SystemError`, with `isReplaced` where something else has the name.
    public func removeFolder(_ name: BytePath, being folder: OpenFolder) throws(SystemError) {
        let status = try folder.status()
        try requireStill(name, status, for: .rmdir)
        try folder.removeContents()
        try requireStill(name, status, for: .rmdir)
        try removeEmptyFolder(name)
    }

    /// Removes everything in the folder; links are removed, not followed.
    public func removeContents() throws(SystemError) {
        // By paths from here, so that folders nested as deep as a path is long need no descriptors for all of them.
        var pending: [BytePath] = [""]
        var folders: [BytePath] = []
        while let path = pending.popLast() {
            let folder = path.isEmpty ? self : try openFolder(path)
            folders.append(path)
            for entry in try folder.entries() {
                if entry.status.kind == .folder {
                    pending.append(path / entry.name)
                } else if path.isEmpty, entry.name.hasPrefix(".") {
                    continue
                } else {
                    try folder.removeFile(entry.name)
                }
            }
        }
        for path in folders.reversed() where !path.isEmpty { try removeEmptyFolder(path) }
        // A mark that says what the folder is must be there until nothing else is.
        for entry in try entries() { try removeFile(entry.name) }
    }

    private func removeEmptyFolder(_ path: BytePath) throws(SystemError) {
        try call(path) { (folder, name) throws(Syscalls.Failure) in
            try Syscalls.removeFolder(name, in: folder)
        }
    }
}
