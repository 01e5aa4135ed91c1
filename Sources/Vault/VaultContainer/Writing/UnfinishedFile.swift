public import SystemIO

extension FinishedName {
    /// The name of a container, which has its header at both ends.
    static func container(_ name: BytePath) -> FinishedName {
        FinishedName(name, sameBytes: ContainerFormat.headerSize)
    }
}

/// The temporary file that a writer has created or continued.
public struct UnfinishedFile: Sendable {
    let folder: OpenFolder
    let name: BytePath
    /// The status of the file; no other file is renamed or removed.
    let status: FileStatus

    /// Removes the file, once its writer has closed it.
    ///
    /// - Throws: `SystemError`, with `isLocked` if another process has taken it over, with `isReplaced` if the name
    ///   belongs to another file.
    public func remove() throws(SystemError) {
        try Self.remove(name, in: folder, being: status)
    }

    /// Removes an unfinished file with all its volumes.
    ///
    /// - Parameter status: Its status, to leave any other file with the name alone; nil to remove any file.
    /// - Throws: `SystemError`, with `isLocked` if another process is writing it.
    package static func remove(
        _ name: BytePath, in folder: OpenFolder, being status: FileStatus? = nil
    ) throws(SystemError) {
        // A process that has it locked is continuing it.
        let finished = name.dropping(suffix: ContainerFormat.temporarySuffix) ?? name
        let file = try folder.claimVolumes(name, .update, becoming: .container(finished), limit: nil)
        let found = try file.status()
        if let status, !found.isSameFile(as: status) {
            throw SystemError.replaced(folder.place(name))
        }
        try file.removeVolumes()
        try folder.removeFile(name, being: found)
    }
}
