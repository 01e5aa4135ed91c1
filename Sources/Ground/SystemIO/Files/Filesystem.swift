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
