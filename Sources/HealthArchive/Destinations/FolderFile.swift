import ByteSpans
import SystemIO

/// A file of a plain folder in the making.
///
/// Where the same file lies in the finished folder that is going to be replaced, the new one becomes a link to it:
/// nothing that is finished is ever written into, and nothing is written twice. A file that others could read is written
/// anew, readable for its owner alone. What an interrupted run has left under the temporary name is compared in the same
/// way, see `ResumableFile`.
struct FolderFile: ~Copyable {
    private let path: BytePath
    private let folder: OpenFolder
    private let isResumed: Bool
    private let finishedFolder: OpenFolder?
    /// The finished file, as long as it has the same bytes.
    private var finished: FileDescriptor?
    private var file: ResumableFile?
    private var offset = 0

    /// - Parameters:
    ///   - path: The path in both folders.
    ///   - folder: Where the file is made.
    ///   - finished: Where a file may lie that is the same.
    ///   - isResumed: The file may exist.
    init(
        _ path: BytePath, in folder: OpenFolder, likeThatIn finished: OpenFolder?, isResumed: Bool
    ) throws(SystemError) {
        self.path = path
        self.folder = folder
        self.isResumed = isResumed
        finishedFolder = finished
        // What an interrupted run has linked here is the finished file itself.
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

    /// From here on the file is another one than the finished one.
    private mutating func part() throws(SystemError) {
        guard let old = finished.take() else { return }
        var new = try ResumableFile(path, in: folder, isResumed: isResumed)
        var copied = 0
        while copied < offset {
            let piece = try old.bytes(at: copied, count: min(1 << 20, offset - copied))
            // It was as long as that a moment ago.
            guard !piece.isEmpty else { break }
            try new.write(piece.span)
            copied += piece.count
        }
        file = consume new
    }

    /// Closes the file.
    ///
    /// - Returns: Bytes that did not have to be written.
    consuming func finish() throws(SystemError) -> Int {
        if let status = try finished?.status() {
            if status.size == offset, status.isPrivate,
                (try? finishedFolder?.link(path, being: status, to: path, in: folder)) != nil
            {
                return offset
            }
            // It is longer, others could read it, or the file system knows no links.
            try part()
        }
        guard let file = file.take() else { return 0 }
        let kept = file.kept
        try file.finish()
        return kept
    }
}
