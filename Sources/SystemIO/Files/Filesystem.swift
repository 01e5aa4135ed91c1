/// File systems that need care.
public enum Filesystem: Sendable, Equatable {
    /// FAT: no journal, no permissions, at most 4 GiB - 1 for a file.
    case fat
    /// exFAT: no journal, no permissions.
    case exfat
    /// Any other.
    case other

    init(magic: Int64) {
        // Linux's include/uapi/linux/magic.h.
        self =
            switch magic {
            case 0x4d44: .fat
            case 0x2011_bab0: .exfat
            default: .other
            }
    }

    /// A rename is not journaled, so the whole file system is flushed after it.
    public var needsFilesystemSync: Bool { self != .other }
}
