import Glibc

/// What `fstat` says of a file, as far as it is needed.
public struct FileStatus: Sendable, Equatable {
    /// What kind of thing lies at a path.
    public enum Kind: Sendable, Equatable {
        case file
        case folder
        case link
        case other
    }

    /// A point in time; as one number of nanoseconds, those from 2262 on would not fit.
    public struct Instant: Sendable, Equatable {
        /// Since 1970-01-01T00:00:00Z.
        public let seconds: Int
        /// Behind them, less than a second.
        public let nanoseconds: Int
    }

    /// Regular file, folder, symbolic link, or something else (a pipe, a device).
    public let kind: Kind
    /// Length in bytes.
    public let size: Int
    /// How many names the file has.
    public let linkCount: Int
    /// When it was last written.
    public let modified: Instant
    /// Nobody but its owner, who runs this program, may read or write it.
    public let isPrivate: Bool
    /// Device and inode together name the file on this machine.
    private let identity: [UInt64]

    init(_ info: stat) {
        kind =
            switch info.st_mode & S_IFMT {
            case S_IFREG: .file
            case S_IFDIR: .folder
            case S_IFLNK: .link
            default: .other
            }
        size = Int(info.st_size)
        linkCount = Int(info.st_nlink)
        modified = Instant(seconds: info.st_mtim.tv_sec, nanoseconds: info.st_mtim.tv_nsec)
        isPrivate = info.st_uid == geteuid() && info.st_mode & 0o077 == 0
        identity = [UInt64(info.st_dev), UInt64(info.st_ino)]
    }

    /// What lies at `path`.
    ///
    /// - Throws: `SystemError`, with `isMissing` when nothing does.
    public init(at path: BytePath, followingLinks: Bool = true) throws(SystemError) {
        self = try wrapping(path) { () throws(Syscalls.Failure) in
            FileStatus(try Syscalls.status(path, followingLinks: followingLinks))
        }
    }

    /// Both are of the same file, whatever its names.
    ///
    /// A new file may get the number of one that was removed, and only while that one is open it cannot; one of another
    /// kind is another one in any case.
    public func isSameFile(as other: FileStatus) -> Bool { identity == other.identity && kind == other.kind }
}
