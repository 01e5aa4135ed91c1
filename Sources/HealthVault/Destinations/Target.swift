import SystemIO
import VaultContainer

/// What may be at the place where an export is to go.
enum Target: Sendable {
    /// An existing target is refused, unless it is one of ours and is to be replaced.
    static func check(file path: String, replacing: Bool) throws {
        guard let status = try existing(path) else { return }
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
    }

    /// The same for a folder: an empty one, or one with a manifest, can be replaced.
    static func check(folder path: String, replacing: Bool) throws {
        guard let status = try existing(path) else { return }
        guard replacing else { throw VaultError(.targetExists, path: path) }
        guard status.kind == .folder, try isExport(path) else {
            throw VaultError(.notReplaceable, path: path)
        }
    }

    /// The same before anything else is done, in the words of the library's errors.
    static func checkEarly(folder path: String, replacing: Bool) throws(VaultError) {
        do { try check(folder: path, replacing: replacing) } catch {
            throw VaultError.wrapping(error, path: path)
        }
    }

    /// The folder is empty, or holds an export of ours and nothing else: what nobody listed would be lost with it.
    private static func isExport(_ path: String) throws -> Bool {
        let folder = try PlainFolder(path)
        if folder.paths.isEmpty { return true }
        guard let listed = try? folder.digests() else { return false }
        // What was recovered may have no manifest, but a report.
        let manifest = (try? folder.bytes(of: EntryPath.manifest)).flatMap { try? ManifestReader.read($0) }
        guard manifest != nil || listed[RecoveryReport.fileName] != nil else { return false }
        return folder.paths.subtracting([EntryPath.checksums]).isSubset(of: listed.keys)
    }

    /// Something lies at the path.
    static func exists(_ path: String) throws -> Bool { try existing(path) != nil }

    /// A file lies at the path, and no link or folder.
    static func isFile(_ path: String) throws -> Bool { try existing(path)?.kind == .file }

    private static func existing(_ path: String) throws -> FileStatus? {
        do { return try FileStatus(at: path, followingLinks: false) } catch {
            if error.isMissing { return nil }
            throw error
        }
    }

    /// Removes what an interrupted run left under the temporary name, if nobody is writing it.
    ///
    /// Only what starts like a container, or is empty, was left behind by an export.
    static func clearUnfinished(file path: String) throws {
        guard let status = try existing(path) else { return }
        guard status.kind == .file else { throw VaultError(.unfinishedExists, path: path) }
        let file = try FileDescriptor(opening: path, .update)
        try file.lock(exclusively: true)
        let start = try file.bytes(at: 0, count: 8)
        guard start.isEmpty || CleartextHeader.matches(start.span) else {
            throw VaultError(.unfinishedExists, path: path)
        }
        try Folder.removeFile(path)
    }

    /// What the name of a folder ends with that is just changing places with another one.
    private static let asideSuffix = ".replaced-"

    /// What the temporary name of an unfinished folder ends with.
    static let unfinishedSuffix = ".part"

    /// The file that marks a folder as one that an export is still writing.
    static let unfinishedMark = ".healthvault-unfinished"

    /// The same for a folder: only one with the mark, or an empty one, was left behind by an export.
    static func clearUnfinished(folder path: String, of target: String) throws {
        guard let status = try existing(path) else { return }
        guard status.kind == .folder else { throw VaultError(.unfinishedExists, path: path) }
        let folder = try FileDescriptor(opening: path, .read)
        try folder.lock(exclusively: true)
        let entries = try Folder.entries(of: path)
        let isUnfinished =
            try entries.contains { $0.text == unfinishedMark } || PlainFolder(path).paths.isEmpty
        // An export that another one has replaced loses its name before it is removed.
        guard try isUnfinished || exists(target) && isExport(target) && isExport(path) else {
            throw VaultError(.unfinishedExists, path: path)
        }
        try Folder.removeAll(path)
    }

    /// Makes the folder that an export is written into, with a mark that says which export.
    static func begin(folder path: String, of target: String, mark: [UInt8]) throws -> FileDescriptor {
        try clearUnfinished(folder: path, of: target)
        try Folder.make(path)
        do {
            let folder = try FileDescriptor(opening: path, .read)
            try folder.lock(exclusively: true)
            let file = try FileDescriptor(opening: path + "/" + unfinishedMark, .create)
            try file.write(mark.span)
            try file.close()
            return folder
        } catch {
            try? Folder.removeAll(path)
            throw error
        }
    }

    /// Gives a finished folder its name.
    ///
    /// It changes places with an old one, which is then removed, so that one of the two is whole at any instant. The mark
    /// goes last: under its name a folder is finished, whatever lies in it.
    static func install(folder temporary: String, as path: String, replacing: Bool) throws {
        if replacing, try existing(path) != nil {
            try Folder.exchange(
                temporary, with: path,
                aside: path + asideSuffix + String(UInt32.random(in: 0 ... .max), radix: 16))
            // The new one is finished, whatever becomes of the old one.
            defer { try? Folder.removeFile(path + "/" + unfinishedMark) }
            // Of a folder that is removed in part only the mark tells that it was ours.
            try? FileDescriptor(opening: temporary + "/" + unfinishedMark, .create).close()
            for path in try PlainFolder(temporary).paths { try? Folder.removeFile(temporary + "/" + path) }
            try Folder.removeAll(temporary)
        } else {
            try Folder.rename(temporary, to: path, replacing: false)
            try? Folder.removeFile(path + "/" + unfinishedMark)
        }
    }
}
