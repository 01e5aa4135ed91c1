// Every system call on files is made in this file, so that interrupted calls are repeated in one place and tests can
// fail each of them.

import CPlatform
import Glibc

/// The system calls.
///
/// Their failures lack the path, which `FileDescriptor` and `OpenFolder` add.
///
/// A path that does not start with a slash is relative to an open folder, given by its descriptor; `here` is the
/// process's working directory.
enum Syscalls {
    static let here = AT_FDCWD

    struct Failure: Error {
        let call: SystemCall
        let number: Int32
    }

    /// Repeats `body` while a signal interrupts it; a negative result is a failure.
    private static func retrying<Result: SignedInteger>(
        _ call: SystemCall, _ body: () -> Result
    ) throws(Failure) -> Result {
        while true {
            if case .fail(let number) = FaultPlan.current?.effect(on: call) {
                if number == EINTR { continue }
                throw Failure(call: call, number: number)
            }
            let result = body()
            if result >= 0 { return result }
            let number = errno
            if number != EINTR { throw Failure(call: call, number: number) }
        }
    }

    /// Returns how many of `count` bytes the next call may transfer, nil if the plan interrupts it.
    private static func limit(_ call: SystemCall, _ count: Int) throws(Failure) -> Int? {
        switch FaultPlan.current?.effect(on: call) {
        case .fail(EINTR): nil
        case .fail(let number): throw Failure(call: call, number: number)
        case .short(let most): min(max(most, 1), count)
        case .after, nil: count
        }
    }

    /// Returns a path as a C string.
    ///
    /// - Throws: `EINVAL` for a path that contains NUL: the C string would end there and be another path.
    private static func cString(_ path: BytePath, for call: SystemCall) throws(Failure) -> [CChar] {
        guard !path.bytes.contains(0) else { throw Failure(call: call, number: EINVAL) }
        return path.cString
    }

    static func open(
        _ path: BytePath, in folder: Int32 = here, _ flags: Int32, _ permissions: mode_t = 0o600
    ) throws(Failure) -> Int32 {
        let path = try cString(path, for: .open)
        return try retrying(.open) { unsafe openat(folder, path, flags | O_CLOEXEC, permissions) }
    }

    /// Reads into the `range` of the target, from `offset` or, if that is nil, from the current position.
    static func read(
        _ fd: Int32, at offset: Int?, into target: inout MutableSpan<UInt8>, _ range: Range<Int>
    ) throws(Failure) -> Int {
        precondition(range.lowerBound >= 0 && range.upperBound <= target.count, "a range of the target")
        while true {
            guard let most = try limit(.read, range.count) else { continue }
            let count = unsafe target.withUnsafeMutableBytes { buffer in
                let place = unsafe buffer.baseAddress.map { unsafe $0 + range.lowerBound }
                if let offset { return unsafe pread(fd, place, most, off_t(offset)) }
                return unsafe Glibc.read(fd, place, most)
            }
            if count >= 0 { return count }
            if errno != EINTR { throw Failure(call: .read, number: errno) }
        }
    }

    /// Writes as many of the bytes as one call does, at `offset` or, if that is nil, at the current position.
    static func write(_ fd: Int32, _ bytes: Span<UInt8>, at offset: Int?) throws(Failure) -> Int {
        while true {
            guard let most = try limit(.write, bytes.count) else { continue }
            let count = unsafe bytes.withUnsafeBytes { buffer in
                if let offset {
                    unsafe pwrite(fd, buffer.baseAddress, most, off_t(offset))
                } else {
                    unsafe Glibc.write(fd, buffer.baseAddress, most)
                }
            }
            if count >= 0 { return count }
            if errno != EINTR { throw Failure(call: .write, number: errno) }
        }
    }

    static func sync(_ fd: Int32) throws(Failure) {
        _ = try retrying(.fsync) { fsync(fd) }
    }

    static func syncFilesystem(_ fd: Int32) throws(Failure) {
        _ = try retrying(.syncfs) {
            let number = platform_sync_filesystem(fd)
            errno = number
            return number == 0 ? 0 : -1
        }
    }

    static func truncate(_ fd: Int32, to size: Int) throws(Failure) {
        _ = try retrying(.ftruncate) { ftruncate(fd, off_t(size)) }
    }

    static func status(_ fd: Int32) throws(Failure) -> stat {
        var info = stat()
        _ = try retrying(.fstat) { unsafe fstat(fd, &info) }
        return info
    }

    static func status(
        _ path: BytePath, in folder: Int32 = here, followingLinks: Bool
    ) throws(Failure) -> stat {
        let path = try cString(path, for: .fstat)
        var info = stat()
        let flags = followingLinks ? 0 : AT_SYMLINK_NOFOLLOW
        _ = try retrying(.fstat) { unsafe fstatat(folder, path, &info, flags) }
        return info
    }

    /// Returns how many bytes this user can still write to the file system of an open file; nil if it does not report
    /// that.
    static func freeSpace(_ fd: Int32) throws(Failure) -> Int? {
        var info = statvfs()
        _ = try retrying(.fstat) { unsafe fstatvfs(fd, &info) }
        guard info.f_blocks > 0 else { return nil }
        let (space, overflow) = Int(clamping: info.f_bavail).multipliedReportingOverflow(
            by: Int(clamping: info.f_frsize))
        return overflow ? .max : space
    }

    static func lock(_ fd: Int32, exclusively: Bool) throws(Failure) {
        // Until it executes its program, a child process has copies of its parent's descriptors, and so of their
        // locks.
        for _ in 1..<lockAttempts {
            do throws(Failure) { return try lockOnce(fd, exclusively: exclusively) } catch {
                guard error.number == EWOULDBLOCK else { throw error }
            }
            SystemClock.sleep(milliseconds: 10)
        }
        try lockOnce(fd, exclusively: exclusively)
    }

    private static let lockAttempts = 10

    static func unlock(_ fd: Int32) throws(Failure) { _ = try retrying(.flock) { flock(fd, LOCK_UN) } }

    private static func lockOnce(_ fd: Int32, exclusively: Bool) throws(Failure) {
        _ = try retrying(.flock) { flock(fd, (exclusively ? LOCK_EX : LOCK_SH) | LOCK_NB) }
    }

    /// Returns another descriptor of an open file.
    static func duplicate(_ fd: Int32) throws(Failure) -> Int32 {
        try retrying(.open) { fcntl(fd, F_DUPFD_CLOEXEC, 0) }
    }

    static func close(_ fd: Int32) throws(Failure) {
        if case .fail(let number) = FaultPlan.current?.effect(on: .close) {
            _ = Glibc.close(fd)
            throw Failure(call: .close, number: number)
        }
        // Linux closes the descriptor even after EINTR: a second close could hit another file.
        if Glibc.close(fd) < 0, errno != EINTR { throw Failure(call: .close, number: errno) }
    }

    static func rename(
        _ from: BytePath, to: BytePath, in folder: Int32, replacing: Bool
    ) throws(Failure) {
        let (from, to) = (try cString(from, for: .rename), try cString(to, for: .rename))
        _ = try retrying(.rename) {
            if replacing { return unsafe renameat(folder, from, folder, to) }
            let number = unsafe platform_rename_exclusively(folder, from, to)
            errno = number
            return number == 0 ? 0 : -1
        }
    }

    static func exchange(_ first: BytePath, _ second: BytePath, in folder: Int32) throws(Failure) {
        let (first, second) = (try cString(first, for: .rename), try cString(second, for: .rename))
        _ = try retrying(.rename) {
            let number = unsafe platform_rename_exchanging(folder, first, second)
            errno = number
            return number == 0 ? 0 : -1
        }
    }

    static func link(
        _ from: BytePath, in folder: Int32, to: BytePath, in other: Int32
    ) throws(Failure) {
        let (from, to) = (try cString(from, for: .link), try cString(to, for: .link))
        _ = try retrying(.link) { unsafe linkat(folder, from, other, to, 0) }
    }

    static func unlink(_ path: BytePath, in folder: Int32) throws(Failure) {
        let path = try cString(path, for: .unlink)
        _ = try retrying(.unlink) { unsafe unlinkat(folder, path, 0) }
    }

    static func makeFolder(
        _ path: BytePath, in folder: Int32 = here, _ permissions: mode_t
    ) throws(Failure) {
        let path = try cString(path, for: .mkdir)
        _ = try retrying(.mkdir) { unsafe mkdirat(folder, path, permissions) }
    }

    static func removeFolder(_ path: BytePath, in folder: Int32) throws(Failure) {
        let path = try cString(path, for: .rmdir)
        _ = try retrying(.rmdir) { unsafe unlinkat(folder, path, AT_REMOVEDIR) }
    }

    /// Returns the entries of an open folder, without `.` and `..`, in no particular order; links are not followed.
    static func entries(in folder: Int32) throws(Failure) -> [(name: BytePath, status: stat)] {
        if case .fail(let number) = FaultPlan.current?.effect(on: .opendir) {
            throw Failure(call: .opendir, number: number)
        }
        // The stream closes its descriptor, and moves its position, which a duplicate would share.
        let own = try open(".", in: folder, O_RDONLY | O_DIRECTORY)
        guard let stream = unsafe fdopendir(own) else {
            let number = errno
            _ = Glibc.close(own)
            throw Failure(call: .opendir, number: number)
        }
        defer { unsafe closedir(stream) }
        var entries: [(name: BytePath, status: stat)] = []
        errno = 0
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                unsafe BytePath(bytes: bytes.prefix { $0 != 0 })
            }
            if name != "." && name != ".." {
                entries.append((name, try status(name, in: folder, followingLinks: false)))
            }
            errno = 0
        }
        guard errno == 0 else { throw Failure(call: .opendir, number: errno) }
        return entries
    }

    static func canonical(_ path: BytePath) throws(Failure) -> BytePath {
        let path = try cString(path, for: .fstat)
        guard let resolved = unsafe realpath(path, nil) else { throw Failure(call: .fstat, number: errno) }
        defer { unsafe free(resolved) }
        return unsafe BytePath(bytes: UnsafeRawBufferPointer(start: resolved, count: strlen(resolved)))
    }
}
