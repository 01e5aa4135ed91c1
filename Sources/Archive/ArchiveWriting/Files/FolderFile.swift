import ByteText
import SystemIO

/// A file of a plain folder that is being written.
///
/// If the finished folder that will be replaced contains the same file, the new one becomes a link to it: no finished
/// file is ever modified, and nothing is written twice. A file that others could read is written anew, readable by its
/// owner only. A file that an interrupted run left under the temporary name is compared in the same way, see
/// `ResumableFile`.
struct FolderFile: ~Copyable {
    private let path: BytePath
    private let folder: OpenFolder
    private let isResumed: Bool
    private let finishedFolder: OpenFolder?
    /// The finished file, until the bytes differ.
    private var finished: FileDescriptor?
    private var file: ResumableFile?
    private var offset = 0

    /// Opens the file.
    ///
    /// - Parameters:
    ///   - path: The path in both folders.
    ///   - folder: The folder in which the file is made.
    ///   - finished: The folder that may contain the same file.
    ///   - isResumed: Whether the file may exist.
    init(
        _ path: BytePath, in folder: OpenFolder, likeThatIn finished: OpenFolder?, isResumed: Bool
    ) throws(SystemError) {
        self.path = path
        self.folder = folder
        self.isResumed = isResumed
        finishedFolder = finished
        // A file that an interrupted run linked here is the finished file itself.
        let names = isResumed ? (try? folder.status(of: path))?.linkCount ?? 0 : 0
        if names > 1 { try folder.removeFile(path) }
        var twin: FileDescriptor?
        if let finished, names != 1, (try? finished.status(of: path))?.kind == .file {
            twin = try? finished.open(path, .read)
        }
        file = twin == nil ? try ResumableFile(path, in: folder, isResumed: isResumed) : nil
        self.finished = twin
    }

    mutating func write(_ bytes: Span<UInt8>) throws(SystemError) {
        if let there = try finished?.bytes(at: offset, count: bytes.count) {
            if there.count == bytes.count, bytes.matches(at: 0, there) {
                offset += bytes.count
                return
            }
            try part()
        }
        try file?.write(bytes)
    }

    /// Starts a new file, because the bytes differ from the finished one from here on.
    private mutating func part() throws(SystemError) {
        guard let old = finished.take() else { return }
        var new = try ResumableFile(path, in: folder, isResumed: isResumed)
        var copied = 0
        while copied < offset {
            let piece = try old.bytes(at: copied, count: min(1 << 20, offset - copied))
            // The file was truncated meanwhile, and what was already compared is lost.
            guard !piece.isEmpty else { throw SystemError.replaced(path) }
            try new.write(piece.span)
            copied += piece.count
        }
        file = consume new
    }

    /// Closes the file.
    ///
    /// - Returns: The number of bytes that did not have to be written.
    consuming func finish() throws(SystemError) -> Int {
        if let status = try finished?.status() {
            if status.size == offset, status.isPrivate,
                (try? finishedFolder?.link(path, being: status, to: path, in: folder)) != nil
            {
                return offset
            }
            // It is longer, others could read it, or the file system does not support links.
            try part()
        }
        guard let file = file.take() else { return 0 }
        let kept = file.kept
        try file.finish()
        return kept
    }
}
