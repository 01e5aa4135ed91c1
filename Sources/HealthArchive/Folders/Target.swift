import Glibc
package import SystemIO
import VaultContainer

/// What may be at the place where an export is to go.
package enum Target: Sendable {
    /// An existing target is refused, unless it is one of ours and is to be replaced.
    ///
    /// - Returns: What lies there; nil where nothing does.
    @discardableResult
    package static func check(file path: BytePath, replacing: Bool) throws -> FileStatus? {
        guard let status = try existing(path) else { return nil }
        guard replacing else { throw VaultError(.targetExists, path: path) }
        guard status.kind == .file else { throw VaultError(.notReplaceable, path: path) }
        let start = try FileDescriptor(opening: path, .read).bytes(at: 0, count: 8)
        // Only a container, or nothing at all, is replaced: a slip of the keyboard must not cost another file.
        guard start.isEmpty || CleartextHeader.matches(start.span) else {
            throw VaultError(.notReplaceable, path: path)
        }
        // What that one holds could never be read again. Its name is no proof, but reason enough to ask.
        if !start.isEmpty, let follower = FurtherName.follower(of: path) {
            throw VaultError(.isContinued(by: follower), path: path)
        }
        return status
    }

    /// The same for a folder: an empty one, or one with a manifest, can be replaced.
    ///
    /// - Returns: What lies there; nil where nothing does.
    @discardableResult
    static func check(folder path: BytePath, replacing: Bool) throws -> OpenFolder? {
        guard let status = try existing(path) else { return nil }
        guard replacing else { throw VaultError(.targetExists, path: path) }
        // A folder that goes by no name of its own cannot change its place with another one.
        guard status.kind == .folder, path.name != ".", path.name != ".." else {
            throw VaultError(.notReplaceable, path: path)
        }
        let folder = try OpenFolder(opening: path, followingLinks: false)
        guard try isExport(folder) else { throw VaultError(.notReplaceable, path: path) }
        return folder
    }

    /// The same before anything else is done, in the words of the library's errors.
    static func checkEarly(folder path: BytePath, replacing: Bool) throws(VaultError) {
        do { _ = try check(folder: path, replacing: replacing) } catch {
            throw VaultError.wrapping(error, path: path)
        }
    }

    /// The folder is empty, or holds an export of ours and nothing else: what nobody listed would be lost with it.
    private static func isExport(_ folder: OpenFolder) throws -> Bool {
        let folder = try PlainFolder(folder)
        if folder.paths.isEmpty { return true }
        guard let listed = try? folder.digests() else { return false }
        // What was recovered may have no manifest, but a report.
        let manifest = (try? folder.bytes(of: EntryPath.manifest)).flatMap { try? ManifestReader.read($0) }
        guard manifest != nil || listed[EntryPath.recoveryReport] != nil else { return false }
        return folder.paths.subtracting([EntryPath.checksums]).isSubset(of: listed.keys)
    }

    /// Something lies at the path.
    package static func exists(_ path: BytePath) throws -> Bool { try existing(path) != nil }

    /// A file lies at the path, and no link or folder.
    package static func isFile(_ path: BytePath) throws -> Bool { try existing(path)?.kind == .file }

    private static func existing(_ path: BytePath) throws -> FileStatus? {
        do { return try FileStatus(at: path, followingLinks: false) } catch {
            if error.isMissing { return nil }
            throw error
        }
    }

    /// Removes what an interrupted run left under the temporary name, if nobody is writing it.
    ///
    /// Only what starts like a container, or is empty, was left behind by an export.
    static func clearUnfinished(file path: BytePath) throws {
        guard let status = try existing(path) else { return }
        guard status.kind == .file else { throw VaultError(.unfinishedExists, path: path) }
        let holder = try OpenFolder(holding: path)
        let file = try holder.claim(path.name, .update)
        let start = try file.bytes(at: 0, count: 8)
        guard start.isEmpty || CleartextHeader.matches(start.span) else {
            throw VaultError(.unfinishedExists, path: path)
        }
        try holder.removeFile(path.name, being: file.status())
    }

    /// What the name of a folder ends with that is just changing places with another one.
    private static let asideSuffix = ".replaced-"

    /// The same for what was to become the folder `target`: only one with the mark, or an empty one, was left behind by an
    /// export.
    package static func clearUnfinished(folderOf target: BytePath, in holder: OpenFolder) throws {
        let name = target.name + EntryPath.unfinishedSuffix
        let path = target.sibling(name)
        guard let status = try holder.statusIfThere(of: name) else { return }
        guard status.kind == .folder else { throw VaultError(.unfinishedExists, path: path) }
        let folder = try holder.claimFolder(name)
        let entries = try folder.entries()
        let isUnfinished =
            try entries.contains { $0.name == EntryPath.unfinishedMark } || PlainFolder(folder).paths.isEmpty
        // An export that another one has replaced loses its name before it is removed.
        guard try isUnfinished || isReplacement(holder, target.name) && isExport(folder) else {
            throw VaultError(.unfinishedExists, path: path)
        }
        try holder.removeFolder(name, being: folder)
    }

    private static func isReplacement(_ holder: OpenFolder, _ name: BytePath) throws -> Bool {
        guard try holder.statusIfThere(of: name)?.kind == .folder else { return false }
        return try isExport(holder.openFolder(name))
    }

    /// Makes the folder that is to become `target`, locked, with a mark that says which export is writing it.
    ///
    /// - Throws: `SystemError` with `isLocked` where another process has it, also one that has come in between.
    static func begin(_ target: BytePath, in holder: OpenFolder, mark: [UInt8]) throws -> OpenFolder {
        try clearUnfinished(folderOf: target, in: holder)
        let name = target.name + EntryPath.unfinishedSuffix
        try holder.makeFolder(name)
        let folder: OpenFolder
        do { folder = try holder.claimFolder(name) } catch {
            // Who clears up what others left has taken it for that.
            if error.isMissing { throw SystemError(call: .flock, path: error.path, number: EWOULDBLOCK) }
            if !error.isLocked, let empty = try? holder.openFolder(name) {
                try? holder.removeFolder(name, being: empty)
            }
            throw error
        }
        do {
            let file = try folder.open(EntryPath.unfinishedMark, .create)
            try file.write(mark.span)
            try file.close()
            return folder
        } catch {
            try? holder.removeFolder(name, being: folder)
            throw error
        }
    }

    /// Gives a finished folder its name.
    ///
    /// It changes places with an old one, which is then removed, so that one of the two is whole at any instant. The mark
    /// goes last: under its name a folder is finished, whatever lies in it.
    ///
    /// - Parameters:
    ///   - unfinished: The folder.
    ///   - name: Its name.
    ///   - old: What has the name and is replaced; nil where nothing is.
    /// - Returns: false where the old one could not be removed, and lies under the temporary name.
    /// - Throws: `notReplaceable` where something was put into the old one meanwhile; `SystemError`, with `isReplaced` where
    ///   the old one is not what has the name any more, with `isExisting` where something has got it.
    static func install(_ unfinished: UnfinishedFolder, as name: BytePath, replacing old: OpenFolder?) throws
        -> Bool
    {
        let (holder, folder) = (unfinished.holder, unfinished.folder)
        let status = try folder.status()
        guard let old else {
            try holder.rename(unfinished.name, being: status, to: name)
            try? folder.removeFile(EntryPath.unfinishedMark)
            return true
        }
        let number = String(UInt32.random(in: 0 ... .max), radix: 16)
        let aside: BytePath = "\(name)\(asideSuffix)\(number)"
        try requireExport(old)
        try holder.exchange(unfinished.name, being: status, with: name, being: old.status(), aside: aside)
        do { try requireExport(old) } catch {
            // Somebody put something into it in the last moment.
            try holder.exchange(name, being: status, with: unfinished.name, being: old.status(), aside: aside)
            throw error
        }
        // The new one is finished, whatever becomes of the old one.
        defer { try? folder.removeFile(EntryPath.unfinishedMark) }
        // Of a folder that is removed in part only the mark tells that it was ours; it goes last.
        try? old.open(EntryPath.unfinishedMark, .create).close()
        return (try? holder.removeFolder(unfinished.name, being: old)) != nil
    }

    private static func requireExport(_ folder: OpenFolder) throws {
        guard try isExport(folder) else { throw VaultError(.notReplaceable, path: folder.path) }
    }
}
