import SystemIO
import VaultContainer

/// The folder that an export is written into, under its temporary name.
///
/// A file in it marks it as one that an export is writing, and says which: the same export can go on with it.
struct UnfinishedFolder: ~Copyable {
    private let path: String
    private let lock: FileDescriptor
    /// An earlier run has written into it.
    let isResumed: Bool
    /// A later run can go on with it.
    let isResumable: Bool

    /// Makes the folder, or takes over the one that an interrupted run of the same session left.
    ///
    /// - Parameters:
    ///   - path: The temporary name.
    ///   - target: The final one.
    ///   - session: What the folder is to become; nil where it cannot be continued.
    ///   - restarting: What is there is not continued.
    /// - Throws: `VaultError.unfinishedExists` where something else is in the way, `notResumable` where it is what another
    ///   export has left; `SystemError` with `isLocked` where another process is writing it.
    init(_ path: String, of target: String, session: [UInt8]?, restarting: Bool) throws {
        let left = try restarting ? nil : session.flatMap { try Self.mark(of: path, count: $0.count + 1) }
        let isResumed = left != nil && left == session
        // What another export has done is not thrown away by this one without a word.
        if let left, !left.isEmpty, !isResumed {
            _ = try Self.locked(path)
            throw VaultError(.notResumable(ContainerError(.otherSession)), path: target)
        }
        lock =
            isResumed
            ? try Self.locked(path) : try Target.begin(folder: path, of: target, mark: session ?? [])
        self.path = path
        self.isResumed = isResumed
        isResumable = session != nil
    }

    /// The first bytes of what says which export was writing into a folder, nil where nothing does.
    private static func mark(of path: String, count: Int) throws -> [UInt8]? {
        let mark = path + "/" + Target.unfinishedMark
        guard try Target.isFile(mark) else { return nil }
        return try FileDescriptor(opening: mark, .read).bytes(at: 0, count: count)
    }

    private static func locked(_ path: String) throws -> FileDescriptor {
        let folder = try FileDescriptor(opening: path, .read)
        try folder.lock(exclusively: true)
        return folder
    }

    /// Removes what no file of this run is: the source has lost it since.
    func removeAll(but paths: Set<String>) throws {
        for stray in try PlainFolder(path).paths.subtracting(paths) {
            try Folder.removeFile(path + "/" + stray)
        }
    }

    /// Everything in the folder is on the device when this returns.
    func sync() throws { try lock.syncFilesystem() }
}
