public import SystemIO

/// The file under a temporary name that a writer has begun, or gone on with.
public struct UnfinishedFile: Sendable {
    let folder: OpenFolder
    let name: BytePath
    /// What bears the name: nothing else is renamed or removed.
    let status: FileStatus

    /// Removes the file, once its writer has let go of it.
    ///
    /// - Throws: `SystemError`, with `isLocked` where another process has taken it over, with `isReplaced` where something
    ///   else has the name.
    public func remove() throws(SystemError) {
        // Whoever has it locked goes on with it.
        let file = try folder.claim(name, .update)
        try folder.removeFile(name, being: status)
        try file.close()
    }
}
