import SystemIO

/// A writer for files of an unfinished plain folder, which can be used from any thread.
package struct FolderFiles: Sendable {
    let folder: OpenFolder
    /// The folder that will be replaced, which may have the same files.
    let finished: OpenFolder?
    /// Whether files may already exist.
    let isResumed: Bool

    /// Opens a file, in a folder that may have to be made.
    ///
    /// - Throws: `SystemError`, with `isExisting` if the file already exists, or `CryptoError`.
    func newFile(_ path: BytePath) throws -> DigestedFile {
        if path.parent != "." { try folder.makeFolders(path.parent) }
        return try DigestedFile(try file(path))
    }

    func file(_ path: BytePath) throws(SystemError) -> FolderFile {
        try FolderFile(path, in: folder, likeThatIn: finished, isResumed: isResumed)
    }
}
