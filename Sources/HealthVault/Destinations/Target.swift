import SystemIO
import VaultContainer

/// What may be at the place where an export is to go.
enum Target: Sendable {
    /// An existing target is refused, unless it is one of ours and is to be replaced.
    static func check(file path: String, replacing: Bool) throws {
        guard let status = try existing(path) else { return }
        guard replacing, status.kind == .file else { throw VaultError(.targetExists, path: path) }
        let start = try FileDescriptor(opening: path, .read).bytes(at: 0, count: 8)
        // Only a container, or nothing at all, is replaced: a slip of the keyboard must not cost another file.
        guard start.isEmpty || CleartextHeader.matches(start.span) else {
            throw VaultError(.targetExists, path: path)
        }
    }

    /// The same for a folder: an empty one, or one with a manifest, can be replaced.
    static func check(folder path: String, replacing: Bool) throws {
        guard let status = try existing(path) else { return }
        guard replacing, status.kind == .folder else { throw VaultError(.targetExists, path: path) }
        guard try isExport(path) else { throw VaultError(.targetExists, path: path) }
    }

    /// The folder is empty, or holds an export of ours and nothing else: what nobody listed would be lost with it.
    private static func isExport(_ path: String) throws -> Bool {
        let folder = try PlainFolder(path)
        if folder.paths.isEmpty { return true }
        guard let manifest = try? folder.bytes(of: EntryPath.manifest),
            (try? ManifestReader.read(manifest)) != nil,
            let listed = try? folder.digests()
        else { return false }
        return folder.paths.subtracting([EntryPath.checksums]).isSubset(of: listed.keys)
    }

    /// Something lies at the path.
    static func exists(_ path: String) throws -> Bool { try existing(path) != nil }

    private static func existing(_ path: String) throws -> FileStatus? {
        do { return try FileStatus(at: path, followingLinks: false) } catch {
            if error.isMissing { return nil }
            throw error
        }
    }

    /// Removes what an interrupted run left under the temporary name, if nobody is writing it.
    static func clearUnfinished(file path: String) throws {
        guard let status = try existing(path) else { return }
        guard status.kind == .file else { throw VaultError(.unfinishedExists, path: path) }
        let file = try FileDescriptor(opening: path, .update)
        try file.lock(exclusively: true)
        let start = try file.bytes(at: 0, count: 8)
        guard start.allSatisfy({ $0 == 0 }) || CleartextHeader.matches(start.span) else {
            throw VaultError(.unfinishedExists, path: path)
        }
        try Folder.removeFile(path)
    }

    /// The same for a folder, which must hold nothing but what an export puts there.
    static func clearUnfinished(folder path: String) throws {
        guard let status = try existing(path) else { return }
        guard status.kind == .folder else { throw VaultError(.unfinishedExists, path: path) }
        let folder = try FileDescriptor(opening: path, .read)
        try folder.lock(exclusively: true)
        let ours: Set<String> = [
            "records", "files", EntryPath.manifest, EntryPath.prologue, EntryPath.checksums,
            EntryPath.session,
            EntryPath.prologue + EntryPath.frameSuffix,
        ]
        guard try Folder.entries(of: path).allSatisfy({ ours.contains($0.text) }) else {
            throw VaultError(.unfinishedExists, path: path)
        }
        try Folder.removeAll(path)
    }

    /// Gives a finished folder its name.
    ///
    /// An old one makes way first and is removed last, so that one of the two is whole at any instant.
    static func install(folder temporary: String, as path: String, replacing: Bool) throws {
        guard replacing, try existing(path) != nil else {
            try Folder.rename(temporary, to: path, replacing: false)
            return
        }
        let old = path + ".replaced"
        try Folder.rename(path, to: old, replacing: false)
        do { try Folder.rename(temporary, to: path, replacing: false) } catch {
            try? Folder.rename(old, to: path, replacing: false)
            throw error
        }
        try Folder.removeAll(old)
    }
}
