import Glibc

/// Exclusive use of files and folders whose names other processes know.
extension OpenFolder {
    /// Opens and locks a file, and checks that the name still leads to it.
    ///
    /// Between opening and locking, another process may have removed it or put another file in its place.
    ///
    /// - Throws: `SystemError` with `isLocked` if another process has it locked, or has just removed or replaced
    ///   it.
    public func claim(_ name: BytePath, _ mode: FileDescriptor.Mode) throws(SystemError) -> FileDescriptor {
        let file = try open(name, mode)
        do throws(SystemError) {
            try file.lock(exclusively: true)
            try requireName(name, of: file.status())
        } catch {
            // A file that was created here but cannot be locked is useless.
            if mode == .create, !error.isLocked, let status = try? file.status() {
                try? removeFile(name, being: status)
            }
            throw error
        }
        return file
    }

    /// Opens and locks a folder, and checks that the name still leads to it.
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

    private func requireUnchanged(
        _ name: BytePath, _ status: FileStatus, for call: SystemCall
    ) throws(SystemError) {
        guard try isName(name, of: status) else {
            throw SystemError(call: call, path: place(name), number: ESTALE)
        }
    }

    /// Renames a file or folder to its final name, durably: a rename, then a sync of the folder.
    ///
    /// If the folder cannot be synced, it is unknown which name is on the device; the file gets its old name back,
    /// unless another file may have been replaced.
    ///
    /// - Parameters:
    ///   - name: The current name.
    ///   - status: The status of the file with this name.
    ///   - new: The new name.
    ///   - replaced: The status of the file with the new name, which is replaced; nil if there is none.
    /// - Throws: `SystemError`, with `isExisting` if `new` exists and must not be replaced, with `isReplaced` if
    ///   one of the names now belongs to something else.
    public func rename(
        _ name: BytePath, being status: FileStatus, to new: BytePath, replacing replaced: FileStatus? = nil
    ) throws(SystemError) {
        try requireUnchanged(name, status, for: .rename)
        if let replaced { try requireUnchanged(new, replaced, for: .rename) }
        try call(new) { (folder, _) throws(Syscalls.Failure) in
            try Syscalls.rename(name, to: new, in: folder, replacing: replaced != nil)
        }
        do {
            try requireUnchanged(new, status, for: .rename)
            try sync()
        } catch {
            // A file that another process has put there is not renamed.
            if replaced == nil, !error.isReplaced {
                try? call(new) { (folder, _) throws(Syscalls.Failure) in
                    try Syscalls.rename(new, to: name, in: folder, replacing: false)
                }
            }
            throw error
        }
    }

    /// Renames a file to a path whose parent folder has it, replacing the file there; for folders that no other process
    /// uses.
    ///
    /// The new name is durable only after a sync.
    public func replace(_ path: BytePath, withSibling name: BytePath) throws(SystemError) {
        try call(path) { (folder, new) throws(Syscalls.Failure) in
            try Syscalls.rename(name, to: new, in: folder, replacing: true)
        }
    }

    /// Exchanges the names of two folders, durably.
    ///
    /// If the file system cannot do that in one step, the other folder is temporarily named `aside`.
    ///
    /// - Parameters:
    ///   - name: The name of one folder.
    ///   - status: Its status.
    ///   - other: The name of the other folder.
    ///   - otherStatus: Its status.
    ///   - aside: An unused name.
    /// - Throws: `SystemError`, with `isReplaced` if one of the names now belongs to something else.
    public func exchange(
        _ name: BytePath, being status: FileStatus, with other: BytePath, being otherStatus: FileStatus,
        aside: BytePath
    ) throws(SystemError) {
        try requireUnchanged(name, status, for: .rename)
        try requireUnchanged(other, otherStatus, for: .rename)
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
            // It is unknown which names are on the device; the old ones are safer.
            try? call(other) { (folder, _) throws(Syscalls.Failure) in
                try Syscalls.exchange(name, other, in: folder)
            }
            throw error
        }
    }

    /// Removes a file, if the name still belongs to it.
    ///
    /// - Throws: `SystemError`, with `isReplaced` if it does not.
    public func removeFile(_ name: BytePath, being status: FileStatus) throws(SystemError) {
        try requireUnchanged(name, status, for: .unlink)
        try removeFile(name)
    }

    /// Removes a file from a folder that no other process uses.
    public func removeFile(_ path: BytePath) throws(SystemError) {
        try call(path) { (folder, name) throws(Syscalls.Failure) in try Syscalls.unlink(name, in: folder) }
    }

    /// Removes a folder in this one with everything in it, if the name still belongs to it; links are removed, not
    /// followed.
    ///
    /// On FUSE, a file that was open when it was removed keeps a hidden name for a moment after it is closed. The
    /// folder is therefore emptied again, for two seconds at most, where something in it comes or goes by itself.
    ///
    /// - Throws: `SystemError`, with `isReplaced` if the name belongs to something else.
    public func removeFolder(_ name: BytePath, being folder: OpenFolder) throws(SystemError) {
        let status = try folder.status()
        for attempt in 0... {
            do {
                try requireUnchanged(name, status, for: .rmdir)
                try folder.removeContents()
                try requireUnchanged(name, status, for: .rmdir)
                return try removeEmptyFolder(name)
            } catch {
                guard error.isExisting || error.isMissing, attempt < 11 else { throw error }
                SystemClock.sleep(milliseconds: 1 << attempt)
            }
        }
    }

    /// Removes everything in the folder; links are removed, not followed, and a file that is gone by then is no error.
    public func removeContents() throws(SystemError) {
        // Uses paths from here, so that deeply nested folders do not need a descriptor for each level.
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
                    try folder.removeFileIfThere(entry.name)
                }
            }
        }
        for path in folders.reversed() where !path.isEmpty { try removeEmptyFolder(path) }
        // A hidden file that marks what the folder is must stay until everything else is gone.
        for entry in try entries() { try removeFileIfThere(entry.name) }
    }

    private func removeFileIfThere(_ name: BytePath) throws(SystemError) {
        do { try removeFile(name) } catch { if !error.isMissing { throw error } }
    }

    private func removeEmptyFolder(_ path: BytePath) throws(SystemError) {
        try call(path) { (folder, name) throws(Syscalls.Failure) in
            try Syscalls.removeFolder(name, in: folder)
        }
    }
}

extension OpenFolder {
    /// Writes a small file, replacing any file with its name; a crash leaves either the old or the new one.
    ///
    /// - Throws: `SystemError`.
    public func replaceFile(_ name: BytePath, with text: [UInt8]) throws(SystemError) {
        let unfinished = name + ".new"
        if let left = try statusIfThere(of: unfinished) { try removeFile(unfinished, being: left) }
        let file = try self.open(unfinished, .create)
        try file.write(text.span, at: 0)
        try file.sync()
        try self.rename(unfinished, being: file.status(), to: name, replacing: statusIfThere(of: name))
    }
}
