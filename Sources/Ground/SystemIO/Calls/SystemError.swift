public import ByteText
import Glibc

/// A failed system call, with the path and the error number.
public struct SystemError: ClassifiedError, Equatable, Sendable {
    /// The system call, as its manual page spells it.
    public var call: SystemCall
    /// The affected file or folder; empty if there is none.
    public var path: BytePath
    /// The error number (`errno`).
    public var number: Int32

    /// Creates an error from its parts.
    public init(call: SystemCall, path: BytePath, number: Int32) {
        self.call = call
        self.path = path
        self.number = number
    }

    /// The error about a file that is to be removed, but is another one by now.
    public static func replaced(_ path: BytePath) -> SystemError {
        SystemError(call: .unlink, path: path, number: ESTALE)
    }

    /// The system's text for the error number, in lower case.
    public var reason: String {
        if isNotFileOrFolder { return "not a regular file" }
        if call == .open, number == ELOOP { return "a link, which is not followed" }
        if isReplaced { return "replaced by another process" }
        guard let text = unsafe strerror(number) else { return "error \(number)" }
        return unsafe String(cString: text).lowercased()
    }

    /// Whether the device failed to read or write.
    public var isDeviceFailure: Bool { number == EIO }
    /// Whether the user who runs the program lacks the permission.
    public var isPermissionDenied: Bool { number == EACCES || number == EPERM }
    /// Whether the file or folder does not exist.
    public var isMissing: Bool { number == ENOENT || number == ENOTDIR }
    /// Whether the target already exists.
    public var isExisting: Bool { number == EEXIST || number == ENOTEMPTY }
    /// Whether the call may succeed on other files: with other names, or on another part of the device.
    public var isAboutOneFile: Bool {
        [EIO, EACCES, EPERM, ENAMETOOLONG, EINVAL, EILSEQ, EISDIR].contains(number)
    }
    /// Whether the device, the quota or the file system's limit for one file is exhausted.
    public var isOutOfSpace: Bool { number == ENOSPC || number == EDQUOT || number == EFBIG }
    /// Whether the device may have been disconnected, or fails.
    public var isAboutDevice: Bool {
        [EIO, ENXIO, ENODEV, ENOTCONN, ECONNABORTED, ESHUTDOWN, EREMOTEIO].contains(number)
    }
    /// Whether the file system is mounted for reading only.
    public var isReadOnly: Bool { number == EROFS }
    /// Whether the reading end of a pipe is closed.
    public var isBrokenPipe: Bool { number == EPIPE }
    /// Whether another process holds the lock.
    public var isLocked: Bool { call == .flock && number == EWOULDBLOCK }
    /// Whether a pipe, a device or a socket was found instead of a file or folder.
    public var isNotFileOrFolder: Bool { call == .open && number == ESPIPE }
    /// Whether the file that had the name is gone or replaced.
    public var isReplaced: Bool { number == ESTALE }
}

extension SystemError: CustomStringConvertible {
    /// What it means.
    public var kind: ErrorKind {
        if isOutOfSpace { return .noSpace }
        if isLocked || isReplaced { return .inUse }
        if isAboutDevice || isReadOnly { return .failed }
        if isNotFileOrFolder { return .unsupported }
        if isMissing { return .notFound }
        return isExisting ? .targetExists : .failed
    }

    /// What happened, and to which file, in one printable line: `notes.txt: no such file or folder`.
    public var description: String { path.isEmpty ? summary : "\(path): \(summary)" }

    /// What happened, without the file.
    private var summary: String {
        if isOutOfSpace { return reason }
        if isLocked { return "in use by another process" }
        if isReplaced { return "replaced by another process" }
        if isNotFileOrFolder { return "not a regular file" }
        if number == ENOTDIR { return "not a folder" }
        if isMissing { return "no such file or folder" }
        if isExisting { return "already exists" }
        if isPermissionDenied { return reason }
        return "\(call.rawValue): \(reason)"
    }
}

/// The system calls that can fail with a `SystemError`; a fault plan selects from them.
public enum SystemCall: String, Sendable {
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
