import SystemIO

/// A writer for files of an unfinished plain folder, which can be used from any thread.
package struct FolderFiles: Sendable {
    let folder: OpenFolder
    /// The folder that will be replaced, which may have the same files.
    let finished: OpenFolder?
    /// Whether files may already exist.
    let isResumed: Bool

    /// Writes a file.
    ///
    /// - Returns: The number of bytes that did not have to be written.
    /// - Throws: `SystemError`, with `isExisting` if the file already exists.
    func write(_ bytes: Span<UInt8>, to path: BytePath) throws(SystemError) -> Int {
        if path.parent != "." { try folder.makeFolders(path.parent) }
        var file = try file(path)
        try file.write(bytes)
        return try file.finish()
    }

    func file(_ path: BytePath) throws(SystemError) -> FolderFile {
        try FolderFile(path, in: folder, likeThatIn: finished, isResumed: isResumed)
    }
}
