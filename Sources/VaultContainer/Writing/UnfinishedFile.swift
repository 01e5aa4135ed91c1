public import SystemIO

/// The temporary file that a writer has created or continued.
public struct UnfinishedFile: Sendable {
    let folder: OpenFolder
    let name: BytePath
    /// The status of the file: nothing else is renamed or removed.
    let status: FileStatus

    /// Removes the file, once its writer has closed it.
    ///
    /// - Throws: `SystemError`, with `isLocked` if another process has taken it over, with `isReplaced` if
    ///   something else has the name.
    public func remove() throws(SystemError) {
        // A process that has it locked is continuing it.
        let file = try folder.claim(name, .update)
        try folder.removeFile(name, being: status)
        try file.close()
    }
}
