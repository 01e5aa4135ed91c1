import Glibc

/// A system call that failed: which one, on what, and the error number.
public struct SystemError: Error, Equatable, Sendable {
    /// The system call, as its manual page spells it.
    public var call: SystemCall
    /// The file or folder it was about; empty where there is none.
    public var path: BytePath
    /// The error number (`errno`).
    public var number: Int32

    /// Makes an error from its parts.
    public init(call: SystemCall, path: BytePath, number: Int32) {
        self.call = call
        self.path = path
        self.number = number
    }

    /// The system's text for the error number, in lower case.
    public var reason: String {
        if isNoFile { return "not a regular file" }
        if call == .open, number == ELOOP { return "a link, which is not followed" }
        if isReplaced { return "replaced by another process" }
        guard let text = unsafe strerror(number) else { return "error \(number)" }
        return unsafe String(cString: text).lowercased()
    }

    /// The device failed to read or write.
    public var isDeviceFailure: Bool { number == EIO }
    /// Whoever runs the program may not do this.
    public var isRefusal: Bool { number == EACCES || number == EPERM }
    /// The file or folder does not exist.
    public var isMissing: Bool { number == ENOENT || number == ENOTDIR }
    /// The target exists already.
    public var isExisting: Bool { number == EEXIST || number == ENOTEMPTY }
    /// Other files may fare better: their names are taken, or they lie on another part of the device.
    public var isAboutOneFile: Bool {
        [EIO, EACCES, EPERM, ENAMETOOLONG, EINVAL, EILSEQ, EISDIR].contains(number)
    }
    /// The device, the quota or the file system's limit for one file is exhausted.
    public var isOutOfSpace: Bool { number == ENOSPC || number == EDQUOT || number == EFBIG }
    /// Nobody reads what was to be written any more.
    public var isBrokenPipe: Bool { number == EPIPE }
    /// Another process holds the lock.
    public var isLocked: Bool { call == .flock && number == EWOULDBLOCK }
    /// A pipe, a device or a socket lies where a file or folder is expected.
    public var isNoFile: Bool { call == .open && number == ESPIPE }
    /// What bore the name is gone, or something else has it now.
    public var isReplaced: Bool { number == ESTALE }
}

extension SystemError: CustomStringConvertible {
    /// What happened, and to which file, in a line that can be printed: `notes.txt: no such file or folder`.
    public var description: String { path.isEmpty ? summary : "\(path): \(summary)" }

    /// What happened, without the file.
    private var summary: String {
        if isOutOfSpace { return reason }
        if isLocked { return "in use by another process" }
        if isReplaced { return "replaced by another process meanwhile" }
        if isNoFile { return "not a regular file" }
        if isMissing { return "no such file or folder" }
        if isExisting { return "exists already" }
        return "\(call.rawValue): \(reason)"
    }
}

/// The system calls that files go through; a fault plan names them.
public enum SystemCall: String, Sendable, CaseIterable {
    case open
    case read
    case write
    case fsync
    case syncfs
    case ftruncate
    case fstat
    case lseek
    case flock
    case rename
    case link
    case unlink
    case mkdir
    case rmdir
    case opendir
    case mmap
    case close
    case spawn
}
