import ByteSpans
import SystemIO

/// A file in the making that an interrupted run may have written already, as a whole or in part.
///
/// What is there is read and compared, and written over from the first byte on that differs: nobody has to keep account
/// of what was finished, and nothing is trusted because it has the right name and length.
struct ResumableFile: ~Copyable {
    private let file: FileDescriptor
    /// Length of what was there, as far as it was not found to be different.
    private var existing: Int
    private var offset = 0
    /// Bytes that did not have to be written.
    private(set) var kept = 0

    /// - Parameter isResumed: The file may exist.
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

    /// Cuts off what is left of an earlier run, and closes the file.
    consuming func finish() throws(SystemError) {
        if offset < existing { try file.truncate(to: offset) }
        try file.close()
    }
}
