import Glibc
package import HealthArchive
package import SystemIO
import VaultContainer

/// Checks, clears and prepares the path of an export's target.
package enum Target: Sendable {
    /// Checks a target file: an existing one is refused, unless it is a container and `replacing` is true.
    ///
    /// - Returns: The existing file; nil if there is none.
    @discardableResult
    package static func check(file path: BytePath, replacing: Bool) throws -> ReplacedFile? {
        let volume = VolumeName.volume(1, of: path)
        // Several files cannot be exchanged with others in one step.
        if try existing(volume) != nil {
            throw VaultError(replacing ? .isSplit : .targetExists, path: volume)
        }
        guard let status = try existing(path) else { return nil }
        guard replacing else { throw VaultError(.targetExists, path: path) }
        guard status.kind == .file else { throw VaultError(.notReplaceable, path: path) }
        let file = try FileDescriptor(opening: path, .read)
        let start = try file.bytes(at: 0, count: 8)
        // Only a container or an empty file is replaced: a typing error must not destroy any other file.
        guard start.isEmpty || CleartextHeader.matches(start.span) else {
            throw VaultError(.notReplaceable, path: path)
        }
        // The follower could then never be read again. Its name proves nothing, but is reason enough to refuse.
        if !start.isEmpty, let follower = FurtherName.follower(of: path) {
            throw VaultError(.isContinued(by: follower), path: path)
        }
        return try ReplacedFile(file)
    }

    /// Checks a target file of a kind: an existing one is refused, unless this program made it and `replacing` is true.
    ///
    /// - Returns: The existing file; nil if there is none.
    @discardableResult
    package static func check(_ path: BytePath, _ kind: ReplaceableFile, replacing: Bool) throws
        -> ReplacedFile?
    {
        guard let status = try existing(path) else { return nil }
        guard replacing else { throw VaultError(.targetExists, path: path) }
        guard status.kind == .file else { throw VaultError(.notReplaceable, path: path) }
        let file = try FileDescriptor(opening: path, .read)
        guard try kind.matches(file) else { throw VaultError(.notReplaceable, path: path) }
        return try ReplacedFile(file)
    }

    /// Checks a target folder: an empty one, or one with only an export of this program, can be replaced.
    ///
    /// - Returns: The existing folder; nil if there is none.
    @discardableResult
    package static func check(folder path: BytePath, replacing: Bool) throws -> OpenFolder? {
        try clearAside(of: path)
        guard let status = try existing(path) else { return nil }
        guard replacing else { throw VaultError(.targetExists, path: path) }
        // A folder cannot be exchanged with another one unless the path gives its name.
        guard status.kind == .folder, path.name != ".", path.name != ".." else {
            throw VaultError(.notReplaceable, path: path)
        }
        let folder = try OpenFolder(opening: path, followingLinks: false)
        guard try isExport(folder) else { throw VaultError(.notReplaceable, path: path) }
        return folder
    }

    /// Checks a target folder before anything else is done, and throws every error as a `VaultError`.
    package static func checkEarly(folder path: BytePath, replacing: Bool) throws(VaultError) {
        do { _ = try check(folder: path, replacing: replacing) } catch {
            throw VaultError.wrapping(error, path: path)
        }
    }

    /// Returns whether the folder is empty, or contains only an export of this program: unlisted files would be lost
    /// with it.
    private static func isExport(_ folder: OpenFolder) throws -> Bool {
        let folder = try PlainFolder(folder)
        if folder.paths.isEmpty { return true }
        guard let listed = try? folder.digests() else { return false }
        // A recovered folder may have a report instead of a manifest.
        let manifest = (try? folder.bytes(of: EntryPath.manifest)).flatMap { try? ManifestReader.read($0) }
        guard manifest != nil || listed[EntryPath.recoveryReport] != nil else { return false }
        return folder.paths.subtracting([EntryPath.checksums]).isSubset(of: listed.keys)
    }

    /// Removes an export folder, if it contains nothing else.
    ///
    /// - Throws: `notReplaceable` if it contains other files; `SystemError`.
    package static func remove(folder path: BytePath) throws {
        guard let folder = try check(folder: path, replacing: true) else { return }
        try OpenFolder(holding: path).removeFolder(path.name, being: folder)
    }

    /// Returns whether anything exists at the path.
    package static func exists(_ path: BytePath) throws -> Bool { try existing(path) != nil }

    /// Returns whether a file, and not a link or folder, exists at the path.
    package static func isFile(_ path: BytePath) throws -> Bool { try existing(path)?.kind == .file }

    private static func existing(_ path: BytePath) throws -> FileStatus? {
        do { return try FileStatus(at: path, followingLinks: false) } catch {
            if error.isMissing { return nil }
            throw error
        }
    }

    /// Removes what an interrupted run left under the temporary name, unless another process is writing it.
    ///
    /// Exports leave only files that are empty or start like a container. After a power failure they may be nothing but
    /// zeros: FAT grows a file before its data is on the drive.
    static func clearUnfinished(file path: BytePath) throws {
        guard let status = try existing(path) else { return }
        guard status.kind == .file else { throw VaultError(.unfinishedExists, path: path) }
        let file = try FileDescriptor(opening: path, .read)
        let start = try file.bytes(at: 0, count: 8)
        guard try CleartextHeader.matches(start.span) || isBlank(file) else {
            throw VaultError(.unfinishedExists, path: path)
        }
        try UnfinishedFile.remove(path.name, in: OpenFolder(holding: path), being: status)
    }

    /// Returns whether there is nothing in a file but zeros, or nothing at all.
    static func isBlank(_ file: borrowing FileDescriptor) throws(SystemError) -> Bool {
        var offset = 0
        while case let piece = try file.bytes(at: offset, count: 1 << 20), !piece.isEmpty {
            guard piece.allSatisfy({ $0 == 0 }) else { return false }
            offset += piece.count
        }
        return true
    }

    /// The suffix of a folder's name while the folder is being exchanged with another one.
    private static let asideSuffix: BytePath = ".replaced-"

    /// Ends an exchange of a finished folder with another one that was interrupted between two renames.
    ///
    /// The other one is removed if the folder has its name, and gets the name back if nothing has it.
    package static func clearAside(of path: BytePath) throws {
        let prefix = path.name + asideSuffix
        guard let holder = try? OpenFolder(holding: path), let entries = try? holder.entries() else { return }
        for entry in entries where entry.status.kind == .folder {
            guard let digits = entry.name.dropping(prefix: prefix)?.text,
                digits.utf8.count == asideDigits, UInt32(digits, radix: 16) != nil
            else { continue }
            // A process that exchanges them now has the new one locked, under either name.
            for name in [path.name, path.name + EntryPath.unfinishedSuffix]
            where try holder.statusIfThere(of: name)?.kind == .folder {
                guard (try? holder.claimFolder(name)) != nil else { return }
            }
            let aside = try holder.openFolder(entry.name)
            guard try isExport(aside) else { continue }
            if try holder.statusIfThere(of: path.name) == nil {
                try holder.rename(entry.name, being: aside.status(), to: path.name)
            } else if try isReplacement(holder, path.name) {
                try holder.removeFolder(entry.name, being: aside)
            }
        }
    }

    /// The number of digits behind the suffix.
    private static let asideDigits = 8

    /// Removes the unfinished folder that an interrupted run left for `target`.
    ///
    /// A folder is only removed if it has the mark, is empty, or is an export that another one has replaced.
    package static func clearUnfinished(folderOf target: BytePath, in holder: OpenFolder) throws {
        let name = target.name + EntryPath.unfinishedSuffix
        let path = target.sibling(name)
        guard let status = try holder.statusIfThere(of: name) else { return }
        guard status.kind == .folder else { throw VaultError(.unfinishedExists, path: path) }
        let folder = try holder.claimFolder(name)
        let entries = try folder.entries()
        let isUnfinished =
            try entries.contains { $0.name == EntryPath.unfinishedMark } || PlainFolder(folder).paths.isEmpty
        // An export that another one has replaced gets the temporary name before it is removed.
        guard try isUnfinished || isReplacement(holder, target.name) && isExport(folder) else {
            throw VaultError(.unfinishedExists, path: path)
        }
        try holder.removeFolder(name, being: folder)
    }

    private static func isReplacement(_ holder: OpenFolder, _ name: BytePath) throws -> Bool {
        guard try holder.statusIfThere(of: name)?.kind == .folder else { return false }
        return try isExport(holder.openFolder(name))
    }

    /// Makes and locks the folder that will become `target`, with a mark that identifies the export.
    ///
    /// - Throws: `SystemError` with `isLocked` if another process has locked it, or removed it as soon as it was made.
    static func begin(_ target: BytePath, in holder: OpenFolder, mark: [UInt8]) throws -> OpenFolder {
        try clearUnfinished(folderOf: target, in: holder)
        let name = target.name + EntryPath.unfinishedSuffix
        try holder.makeFolder(name)
        let folder: OpenFolder
        do { folder = try holder.claimFolder(name) } catch {
            // Another process has mistaken it for a leftover and removed it.
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

    /// Gives a finished folder its final name.
    ///
    /// It is exchanged with an old one, which is then removed, so that one of the two is complete at any time. The mark
    /// is removed last: under its final name a folder is finished, with or without the mark.
    ///
    /// - Parameters:
    ///   - unfinished: The folder.
    ///   - name: Its final name.
    ///   - old: The folder of that name, which is replaced; nil if there is none.
    /// - Returns: false if the old one could not be removed, and remains under the temporary name.
    /// - Throws: `notReplaceable` if something was added to the old one meanwhile; `SystemError`, with `isReplaced` if
    ///   the old one no longer has the name, with `isExisting` if something else has it by now.
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
        let number = String(UInt32.random(in: 1 << 28 ... .max), radix: 16)
        let aside: BytePath = "\(name)\(asideSuffix)\(number)"
        try requireExport(old)
        try holder.exchange(unfinished.name, being: status, with: name, being: old.status(), aside: aside)
        do { try requireExport(old) } catch {
            // Something was added to it at the last moment.
            try holder.exchange(name, being: status, with: unfinished.name, being: old.status(), aside: aside)
            throw error
        }
        // The new folder is finished, whether or not the old one can be removed.
        defer { try? folder.removeFile(EntryPath.unfinishedMark) }
        // A partly removed folder is recognised as an export only by its mark, so the mark is removed last.
        try? old.open(EntryPath.unfinishedMark, .create).close()
        return (try? holder.removeFolder(unfinished.name, being: old)) != nil
    }

    private static func requireExport(_ folder: OpenFolder) throws {
        guard try isExport(folder) else { throw VaultError(.notReplaceable, path: folder.path) }
    }
}
