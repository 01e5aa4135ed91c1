import SystemIO

/// A file of records, one per line, that only its owner can read.
///
/// It is replaced as a whole: a crash at any instant leaves either the old or the new lines.
struct RecordLines: Sendable {
    private let folder: BytePath
    private let name: BytePath
    /// The maximum number of bytes to read.
    private static let longest = 1 << 26
    /// The number of seconds to wait while another process has locked the folder.
    private static let patience = 10.0

    /// Creates a reference to a file in a folder; both are created when something is first stored.
    init(_ folder: BytePath, _ name: BytePath) {
        self.folder = folder.withoutTrailingSlashes
        self.name = name
    }

    /// Returns all complete lines; none if there is no file.
    ///
    /// - Throws: `SystemError`.
    func all() throws(SystemError) -> [[UInt8]] { try content().lines }

    /// Returns all complete lines, and whether there is nothing but complete lines.
    private func content() throws(SystemError) -> (lines: [[UInt8]], isWhole: Bool) {
        do throws(SystemError) {
            return try Self.content(OpenFolder(opening: folder), name)
        } catch {
            if error.isMissing { return ([], true) }
            throw error
        }
    }

    /// Returns the record of each line of a file with what a user has set up.
    ///
    /// - Throws: `SystemError`; what `refusal` makes of the file's path if the file is cut off, or if `read` does not
    ///   support a line, which a later version may have written: to continue without it would be to ignore what a user
    ///   has set up.
    func all<Record>(
        _ read: ([UInt8]) -> Record?, else refusal: (BytePath) -> any Error
    ) throws -> [Record] {
        let (lines, isWhole) = try content()
        guard isWhole else { throw refusal(folder / name) }
        return try lines.map { line in
            guard let record = read(line) else { throw refusal(folder / name) }
            return record
        }
    }

    private static func content(
        _ folder: OpenFolder, _ name: BytePath
    ) throws(SystemError) -> (lines: [[UInt8]], isWhole: Bool) {
        let file: FileDescriptor
        do { file = try folder.open(name, .read) } catch {
            if error.isMissing { return ([], true) }
            throw error
        }
        let bytes = try file.bytes(at: 0, count: min(longest, file.status().size))
        guard let end = bytes.lastIndex(of: newline) else { return ([], false) }
        let lines = bytes[..<end].split(separator: newline).map { Array($0) }
        return (lines, end == bytes.count - 1)
    }

    private static let newline = UInt8(ascii: "\n")

    /// Locks a folder, waiting while another process changes something in it: changes are quick, and no record may be
    /// lost.
    private static func lock(_ folder: OpenFolder) throws(SystemError) {
        let start = SystemClock.uptime()
        while true {
            do throws(SystemError) { return try folder.lock(exclusively: true) } catch {
                guard error.isLocked, SystemClock.uptime() - start < patience else { throw error }
            }
            SystemClock.sleep(milliseconds: 50)
        }
    }

    /// Changes the lines while no other process can change them.
    ///
    /// - Throws: `SystemError`, with `isLocked` if another process is changing a file in the folder; any error that
    ///   `body` throws.
    func change(_ body: (inout [[UInt8]]) throws -> Void) throws {
        try Folder.makeAll(folder)
        let folder = try OpenFolder(opening: folder)
        try Self.lock(folder)
        var lines = try Self.content(folder, name).lines
        let before = lines
        try body(&lines)
        guard lines != before else { return }
        // A file without a line end is one that was cut off.
        let text = lines.flatMap { $0 + [Self.newline] }
        try folder.replaceFile(name, with: text.isEmpty ? [Self.newline] : text)
    }
}
