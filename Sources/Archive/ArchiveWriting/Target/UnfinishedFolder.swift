import HealthArchive
import SystemIO
import VaultContainer

/// The folder that an export is written into, under its temporary name.
///
/// A file in it marks it as unfinished and identifies the export, so that the same export can continue it. It is locked
/// as long as this value exists.
struct UnfinishedFolder: Sendable {
    /// The folder that contains it, and will contain the finished one.
    let holder: OpenFolder
    /// The temporary name.
    let name: BytePath
    /// The folder that files are written into.
    let folder: OpenFolder
    /// Whether an earlier run has written into it.
    let isResumed: Bool
    /// Whether a later run can continue it.
    let isResumable: Bool

    /// Makes the folder, or opens the one that an interrupted run of the same session left.
    ///
    /// - Parameters:
    ///   - target: The path that the finished folder will have.
    ///   - session: The description of what the folder will contain; nil if it cannot be continued.
    ///   - restarting: Whether to start anew instead of continuing an interrupted run.
    /// - Throws: `VaultError.unfinishedExists` if something else is in the way, `notResumable` if another export left
    ///   it; `SystemError` with `isLocked` if another process is writing it.
    init(of target: BytePath, session: [UInt8]?, restarting: Bool) throws {
        holder = try OpenFolder(holding: target)
        name = target.name + EntryPath.unfinishedSuffix
        isResumable = session != nil
        if let session, !restarting, try holder.statusIfThere(of: name)?.kind == .folder {
            let folder = try holder.claimFolder(name)
            let mark = try Self.mark(in: folder, count: session.count + 1)
            if mark == session {
                self.folder = folder
                isResumed = true
                return
            }
            // The work of another export is not discarded without notice. After a power failure a mark may have only zeros.
            guard mark?.allSatisfy({ $0 == 0 }) ?? true else {
                throw VaultError(.notResumable(ContainerError(.otherSession)), path: target)
            }
        }
        isResumed = false
        folder = try Target.begin(target, in: holder, mark: session ?? [])
    }

    /// Returns the first bytes of the mark that identifies the export in a folder; nil if there is none.
    private static func mark(in folder: OpenFolder, count: Int) throws -> [UInt8]? {
        guard try folder.statusIfThere(of: EntryPath.unfinishedMark)?.kind == .file else { return nil }
        return try folder.open(EntryPath.unfinishedMark, .read).bytes(at: 0, count: count)
    }

    /// Removes files that this run did not write, because the source no longer has them.
    func removeAll(but paths: Set<BytePath>) throws {
        for stray in try PlainFolder(folder).paths.subtracting(paths) { try folder.removeFile(stray) }
    }

    /// Removes the folder and everything in it.
    func remove() throws(SystemError) { try holder.removeFolder(name, being: folder) }
}
