import Glibc

/// The parts of `fstat`'s result that this package needs.
public struct FileStatus: Sendable, Equatable {
    /// The kind of file at a path.
    public enum Kind: Sendable, Equatable {
        case file
        case folder
        case link
        case other
    }

    /// A point in time.
    ///
    /// A single number of nanoseconds would overflow in 2262.
    public struct Instant: Sendable, Equatable {
        /// Seconds since 1970-01-01T00:00:00Z.
        public let seconds: Int
        /// Nanoseconds after these seconds, less than a second.
        public let nanoseconds: Int
    }

    /// Regular file, folder, symbolic link, or something else (a pipe, a device).
    public let kind: Kind
    /// Length in bytes.
    public let size: Int
    /// Number of names (hard links) of the file.
    public let linkCount: Int
    /// When it was last written.
    public let modified: Instant
    /// Whether it belongs to the user who runs this program, and no other user has permissions for it.
    public let isPrivate: Bool
    /// Whether other users than the owner have permissions for it.
    public let isOpenToOthers: Bool
    /// Device and inode, which together identify the file on this machine.
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
        isOpenToOthers = info.st_mode & 0o077 != 0
        isPrivate = info.st_uid == geteuid() && !isOpenToOthers
        identity = [UInt64(info.st_dev), UInt64(info.st_ino)]
    }

    /// Reads the status of the file at `path`.
    ///
    /// - Throws: `SystemError`, with `isMissing` if there is none.
    public init(at path: BytePath, followingLinks: Bool = true) throws(SystemError) {
        self = try wrapping(path) { () throws(Syscalls.Failure) in
            FileStatus(try Syscalls.status(path, followingLinks: followingLinks))
        }
    }

    /// Whether both describe the same file, whatever its names.
    ///
    /// A new file may get the inode number of a removed one, unless that one is still open; a file of another kind
    /// is never the same.
    public func isSameFile(as other: FileStatus) -> Bool { identity == other.identity && kind == other.kind }
}

/// File systems that need care.
public enum Filesystem: Sendable, Equatable {
    /// FAT: no journal, no permissions, files of at most 4 GiB - 1.
    case fat
    /// exFAT: no journal, no permissions.
    case exfat
    /// FUSE, where a program reads and writes the medium; its format is unknown.
    case program
    /// Any other.
    case other

    init(magic: Int64) {
        // Linux's include/uapi/linux/magic.h.
        self =
            switch magic {
            case 0x4d44: .fat
            case 0x2011_bab0: .exfat
            case 0x6573_5546: .program
            default: .other
            }
    }

    /// Whether the whole file system is flushed after a rename, because renames are not journaled.
    public var needsFilesystemSync: Bool { self != .other }
}
