import CPlatform
import Glibc

/// An open file.
///
/// It is closed when the value goes out of scope; `close()` also reports failures.
public struct FileDescriptor: ~Copyable, Sendable {
    /// How a file is opened.
    public enum Mode: Sendable {
        /// For reading only.
        case read
        /// For reading and writing; it must exist.
        case update
        /// For reading and writing; it must not exist yet.
        case create
        /// For reading and writing; it is created if it does not exist. A link is refused.
        case updateOrCreate
        /// For reading what may be a pipe or a device; this may block.
        case stream
        /// For reading from and writing to a terminal.
        case terminal

        fileprivate var flags: Int32 {
            switch self {
            // Opening a pipe must not wait for a writer; for files the flag makes no difference.
            case .read: O_RDONLY | O_NONBLOCK | O_NOCTTY
            case .update: O_RDWR | O_NONBLOCK | O_NOCTTY
            case .create: O_RDWR | O_CREAT | O_EXCL
            case .updateOrCreate: O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY
            case .stream: O_RDONLY | O_NOCTTY
            case .terminal: O_RDWR | O_NOCTTY
            }
        }

        /// Whether only a file or folder is accepted: anything else could return bytes without end, or none.
        fileprivate var needsFile: Bool {
            switch self {
            case .read, .update, .updateOrCreate: true
            case .create, .stream, .terminal: false
            }
        }
    }

    /// The path as given, for messages.
    public let path: BytePath
    private let number: Int32
    private var owned: Bool

    /// Opens `path`; a new file is readable by its owner alone.
    ///
    /// - Throws: `SystemError` when the system refuses, with `isNotFileOrFolder` for anything other than a file or
    ///   folder.
    public init(opening path: BytePath, _ mode: Mode) throws(SystemError) {
        try self.init(opening: path, in: Syscalls.here, path, mode)
    }

    /// Opens the file at `path` in an open folder; `name` is its path for messages.
    init(
        opening path: BytePath, in folder: Int32, _ name: BytePath, _ mode: Mode
    ) throws(SystemError) {
        self.path = name
        owned = true
        number = try wrapping(name) { () throws(Syscalls.Failure) in
            let number = try Syscalls.open(path, in: folder, mode.flags)
            guard mode.needsFile else { return number }
            do throws(Syscalls.Failure) {
                guard [.file, .folder].contains(FileStatus(try Syscalls.status(number)).kind) else {
                    throw Syscalls.Failure(call: .open, number: ESPIPE)
                }
            } catch {
                try? Syscalls.close(number)
                throw error
            }
            return number
        }
    }

    /// Opens a folder in an open folder.
    init(
        openingFolder path: BytePath, in folder: Int32, _ name: BytePath, followingLinks: Bool
    ) throws(SystemError) {
        self.path = name
        owned = true
        number = try wrapping(name) { () throws(Syscalls.Failure) in
            do throws(Syscalls.Failure) {
                return try Syscalls.open(
                    path, in: folder, O_RDONLY | O_DIRECTORY | (followingLinks ? 0 : O_NOFOLLOW))
            } catch {
                // For a link, the system also reports that it is not a folder.
                guard !followingLinks, error.number == ENOTDIR,
                    let status = try? Syscalls.status(path, in: folder, followingLinks: false),
                    FileStatus(status).kind == .link
                else { throw error }
                throw Syscalls.Failure(call: .open, number: ELOOP)
            }
        }
    }

    /// Whether the process was started with a descriptor of this number.
    ///
    /// By now the number may belong to a file that the program itself has opened.
    public static func isInherited(_ number: Int) -> Bool {
        Int32(exactly: number).map { platform_was_open_at_start($0) } ?? false
    }

    /// Creates a value for an inherited descriptor, which is not closed if `owned` is false.
    public init(inherited number: Int32, name: BytePath, owned: Bool = false) {
        self.number = number
        path = name
        self.owned = owned
    }

    /// Creates a file without a name that has so many zeros, in the place of one that is missing.
    ///
    /// - Parameter name: The path of the missing one, for messages.
    init(zeros count: Int, insteadOf name: BytePath) throws(SystemError) {
        number = platform_open_zeros(Int64(count))
        path = name
        owned = true
        guard number >= 0 else { throw SystemError(call: .open, path: name, number: errno) }
    }

    deinit {
        if owned { try? Syscalls.close(number) }
    }

    /// Closes the file.
    ///
    /// - Throws: `SystemError` when the system reports a late write error.
    public consuming func close() throws(SystemError) {
        guard owned else { return }
        owned = false
        do { try Syscalls.close(number) } catch { throw error.at(path) }
    }

    /// Reads bytes at the current position into a range of `target` (by default all of it).
    ///
    /// - Returns: The number of bytes, 0 at the end of the file.
    public func read(
        into target: inout MutableSpan<UInt8>, _ range: Range<Int>? = nil
    ) throws(SystemError) -> Int {
        do {
            return try Syscalls.read(number, at: nil, into: &target, range ?? 0..<target.count)
        } catch { throw error.at(path) }
    }

    /// Reads up to `target.count` bytes at `offset`; fewer only at the end of the file.
    public func read(into target: inout MutableSpan<UInt8>, at offset: Int) throws(SystemError) -> Int {
        var done = 0
        while done < target.count {
            do {
                let rest = done..<target.count
                let count = try Syscalls.read(number, at: offset + done, into: &target, rest)
                if count == 0 { break }
                done += count
            } catch { throw error.at(path) }
        }
        return done
    }

    /// Reads exactly `count` bytes at `offset`, or fewer at the end of the file.
    public func bytes(at offset: Int, count: Int) throws(SystemError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var span = bytes.mutableSpan
        let read = try read(into: &span, at: offset)
        bytes.removeLast(count - read)
        return bytes
    }

    /// Writes all bytes at the current position.
    public func write(_ bytes: Span<UInt8>) throws(SystemError) {
        try write(bytes, from: nil)
    }

    /// Writes all bytes at `offset`.
    public func write(_ bytes: Span<UInt8>, at offset: Int) throws(SystemError) {
        try write(bytes, from: offset)
    }

    private func write(_ bytes: Span<UInt8>, from offset: Int?) throws(SystemError) {
        var done = 0
        while done < bytes.count {
            do {
                done += try Syscalls.write(
                    number, bytes.extracting(done..<bytes.count), at: offset.map { $0 + done })
            } catch { throw error.at(path) }
        }
    }

    /// Flushes everything written so far to the device.
    public func sync() throws(SystemError) {
        try wrapping(path) { () throws(Syscalls.Failure) in try Syscalls.sync(number) }
    }

    /// Reports errors that a file system reports only when a file is closed, and leaves the file open.
    public func checkClosing() throws(SystemError) {
        try wrapping(path) { () throws(Syscalls.Failure) in try Syscalls.close(Syscalls.duplicate(number)) }
    }

    /// Flushes everything written to this file's file system to the device.
    public func syncFilesystem() throws(SystemError) {
        try wrapping(path) { () throws(Syscalls.Failure) in try Syscalls.syncFilesystem(number) }
    }

    /// Truncates or extends the file to `size` bytes.
    public func truncate(to size: Int) throws(SystemError) {
        try wrapping(path) { () throws(Syscalls.Failure) in try Syscalls.truncate(number, to: size) }
    }

    /// Returns the status of the file.
    public func status() throws(SystemError) -> FileStatus {
        try wrapping(path) { () throws(Syscalls.Failure) in FileStatus(try Syscalls.status(number)) }
    }

    /// Acquires the advisory lock of the file, waiting at most a tenth of a second.
    ///
    /// - Throws: `SystemError` with `isLocked` if another process has it.
    public func lock(exclusively: Bool) throws(SystemError) {
        try wrapping(path) { () throws(Syscalls.Failure) in
            try Syscalls.lock(number, exclusively: exclusively)
        }
    }

    /// Releases the advisory lock of the file.
    public func unlock() throws(SystemError) {
        try wrapping(path) { () throws(Syscalls.Failure) in try Syscalls.unlock(number) }
    }

    /// The kind of file system that the file is on.
    public var filesystem: Filesystem { Filesystem(magic: platform_filesystem_type(number)) }

    /// Drops the file's cached pages, so that the next reads come from the drive and not from memory.
    public func dropCache() { platform_drop_cache(number) }

    /// Whether the file is a terminal.
    public var isTerminal: Bool { isatty(number) == 1 }

    /// Number of the terminal's columns, 0 if the file is not a terminal.
    public var terminalColumns: Int { Int(platform_terminal_columns(number)) }

    /// Runs `body` with the bare descriptor.
    func withNumber<Result: ~Copyable, Failure: Error>(
        _ body: (Int32) throws(Failure) -> Result
    ) throws(Failure) -> Result { try body(number) }
}

extension Syscalls.Failure {
    func at(_ path: BytePath) -> SystemError { SystemError(call: call, path: path, number: number) }
}

/// Runs `body` and adds `path` to its failure.
func wrapping<Result>(
    _ path: BytePath, _ body: () throws(Syscalls.Failure) -> Result
) throws(SystemError) -> Result {
    do { return try body() } catch { throw error.at(path) }
}
