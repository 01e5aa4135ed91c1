import ByteText
import SystemIO

/// A file to write, which an interrupted run may already have written completely or partly.
///
/// The existing bytes are read and compared, and overwritten from the first difference on: this needs no record of
/// finished files, and does not trust a file because of its name and length.
struct ResumableFile: ~Copyable {
    private let file: FileDescriptor
    /// The number of existing bytes that are not known to differ.
    private var existing: Int
    private var offset = 0
    /// The number of bytes that did not have to be written.
    private(set) var kept = 0

    /// Opens or creates the file.
    ///
    /// - Parameter isResumed: Whether the file may exist.
    init(_ path: BytePath, in folder: OpenFolder, isResumed: Bool) throws(SystemError) {
        let file = try folder.open(path, isResumed ? .updateOrCreate : .create)
        existing = isResumed ? try file.status().size : 0
        self.file = file
    }

    mutating func write(_ bytes: Span<UInt8>) throws(SystemError) {
        let common = min(bytes.count, existing - offset)
        if common > 0 {
            let there = try file.bytes(at: offset, count: common)
            guard there.count == common, bytes.matches(at: 0, there) else {
                try file.truncate(to: offset)
                existing = offset
                try file.write(bytes, at: offset)
                offset += bytes.count
                return
            }
            kept += common
        }
        let start = max(common, 0)
        if start < bytes.count { try file.write(bytes.extracting(start..<bytes.count), at: offset + start) }
        offset += bytes.count
    }

    /// Removes what an earlier run wrote beyond this point, and closes the file.
    consuming func finish() throws(SystemError) {
        if offset < existing { try file.truncate(to: offset) }
        try file.close()
    }
}
