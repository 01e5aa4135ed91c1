import ByteSpans
import SystemIO

/// A file of a plain folder in the making.
///
/// Where the same file lies in the finished folder that is going to be replaced, the new one becomes a link to it:
/// nothing that is finished is ever written into, and nothing is written twice. What an interrupted run has left under
/// the temporary name is compared in the same way, see `ResumableFile`.
struct FolderFile: ~Copyable {
    private let path: String
    private let isResumed: Bool
    /// The finished file, as long as it has the same bytes.
    private var finished: FileDescriptor?
    private var file: ResumableFile?
    private var offset = 0

    /// - Parameters:
    ///   - path: Where the file is made.
    ///   - finished: Where a file may lie that is the same.
    ///   - isResumed: The file may exist.
    init(_ path: String, likeFinished finished: String?, isResumed: Bool) throws(SystemError) {
        self.path = path
        self.isResumed = isResumed
        // What an interrupted run has linked here is the finished file itself.
        let names = isResumed ? Self.linkCount(path) : 0
        if names > 1 { try Folder.removeFile(path) }
        var twin: FileDescriptor?
        if let finished, names != 1, Self.isFile(finished) {
            twin = try? FileDescriptor(opening: finished, .read)
        }
        if twin == nil { file = try ResumableFile(path, isResumed: isResumed) }
        self.finished = twin
    }

    /// How many names the file has; none where there is no file.
    private static func linkCount(_ path: String) -> Int {
        (try? FileStatus(at: path, followingLinks: false))?.linkCount ?? 0
    }

    private static func isFile(_ path: String) -> Bool {
        (try? FileStatus(at: path, followingLinks: false))?.kind == .file
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
        var new = try ResumableFile(path, isResumed: isResumed)
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
        if let size = try finished?.status().size {
            if size == offset, let old = finished?.path, (try? Folder.link(old, to: path)) != nil {
                return offset
            }
            // It is longer, or the file system knows no links.
            try part()
        }
        guard let file = file.take() else { return 0 }
        let kept = file.kept
        try file.finish()
        return kept
    }
}
