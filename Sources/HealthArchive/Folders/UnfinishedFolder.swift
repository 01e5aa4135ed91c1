import SystemIO
import VaultContainer

/// The folder that an export is written into, under its temporary name.
///
/// A file in it marks it as one that an export is writing, and says which: the same export can go on with it. It is locked
/// while this is there.
struct UnfinishedFolder: Sendable {
    /// The folder that it lies in, where the finished one will lie too.
    let holder: OpenFolder
    /// The temporary name.
    let name: BytePath
    /// What files are written into.
    let folder: OpenFolder
    /// An earlier run has written into it.
    let isResumed: Bool
    /// A later run can go on with it.
    let isResumable: Bool

    /// Makes the folder, or takes over the one that an interrupted run of the same session left.
    ///
    /// - Parameters:
    ///   - target: The path that the finished folder will have.
    ///   - session: What the folder is to become; nil where it cannot be continued.
    ///   - restarting: What is there is not continued.
    /// - Throws: `VaultError.unfinishedExists` where something else is in the way, `notResumable` where it is what another
    ///   export has left; `SystemError` with `isLocked` where another process is writing it.
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
            // What another export has done is not thrown away by this one without a word.
            guard mark?.isEmpty ?? true else {
                throw VaultError(.notResumable(ContainerError(.otherSession)), path: target)
            }
        }
        isResumed = false
        folder = try Target.begin(target, in: holder, mark: session ?? [])
    }

    /// The first bytes of what says which export was writing into a folder, nil where nothing does.
    private static func mark(in folder: OpenFolder, count: Int) throws -> [UInt8]? {
        guard try folder.statusIfThere(of: EntryPath.unfinishedMark)?.kind == .file else { return nil }
        return try folder.open(EntryPath.unfinishedMark, .read).bytes(at: 0, count: count)
    }

    /// Removes what no file of this run is: the source has lost it since.
    func removeAll(but paths: Set<BytePath>) throws {
        for stray in try PlainFolder(folder).paths.subtracting(paths) { try folder.removeFile(stray) }
    }

    /// Removes all of it.
    func remove() throws(SystemError) { try holder.removeFolder(name, being: folder) }
}
