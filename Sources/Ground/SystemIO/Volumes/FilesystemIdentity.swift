import CBlkid

/// What distinguishes a file system from others, wherever it is mounted.
public struct FilesystemIdentity: Sendable, Equatable {
    /// The UUID or serial number that its superblock has; nil if it is unknown.
    public var uuid: String?
    /// The label given by its owner; nil if there is none.
    public var label: String?
    /// The type in its superblock, `vfat` or `exfat`, whichever driver mounts it; nil if it is unknown.
    public var type: String?

    /// Creates an identity.
    public init(uuid: String? = nil, label: String? = nil, type: String? = nil) {
        self.uuid = uuid
        self.label = label
        self.type = type
    }

    /// Identifies a mounted file system, as far as this user may read it.
    public init(of mount: Mount) {
        self = Self.probe(mount.source) ?? Self.published(mount.source)
        // FUSE drivers reveal the medium's format, if at all, in the type of the mount.
        if type == nil {
            type =
                switch mount.type {
                case "vfat", "msdos", "fuse.fusefat": "vfat"
                case "exfat", "fuse.exfat": "exfat"
                default: nil
                }
        }
    }

    /// The size of the largest possible file in bytes; nil if there is no limit, or it is unknown.
    public var largestFile: Int? { type == "vfat" ? (1 << 32) - 1 : nil }

    /// Reads the superblock of a device; nil if the device may not be read.
    private static func probe(_ device: BytePath) -> FilesystemIdentity? {
        guard device.isAbsolute, let probe = unsafe blkid_new_probe_from_filename(device.cString) else {
            return nil
        }
        defer { unsafe blkid_free_probe(probe) }
        unsafe blkid_probe_enable_superblocks(probe, 1)
        unsafe blkid_probe_set_superblocks_flags(
            probe, BLKID_SUBLKS_UUID | BLKID_SUBLKS_LABEL | BLKID_SUBLKS_TYPE)
        guard unsafe blkid_do_safeprobe(probe) == 0 else { return nil }
        func value(_ tag: String) -> String? {
            var text: UnsafePointer<CChar>?
            guard unsafe blkid_probe_lookup_value(probe, tag, &text, nil) == 0, let text = unsafe text else {
                return nil
            }
            return unsafe String(cString: text)
        }
        return FilesystemIdentity(uuid: value("UUID"), label: value("LABEL"), type: value("TYPE"))
    }

    /// Looks up what the system publishes about a device to users who may not read it.
    private static func published(_ device: BytePath) -> FilesystemIdentity {
        guard device.isAbsolute, let device = try? Folder.canonical(device) else {
            return FilesystemIdentity()
        }
        func link(in folder: BytePath) -> String? {
            let links = (try? Folder.entries(of: folder)) ?? []
            return links.first { (try? Folder.canonical(folder / $0.name)) == device }?.name.text
        }
        return FilesystemIdentity(
            uuid: link(in: "/dev/disk/by-uuid"), label: link(in: "/dev/disk/by-label").map(unescaped))
    }

    /// Returns a label in which `\x20` stands for a space, and so on, as udev names links.
    private static func unescaped(_ label: String) -> String {
        let label = Array(label.utf8)
        var (text, place): ([UInt8], Int) = ([], 0)
        while place < label.count {
            let code = label[place...].prefix(4)
            let digits = String(decoding: code.dropFirst(2), as: UTF8.self)
            if code.starts(with: Array("\\x".utf8)), code.count == 4, let byte = UInt8(digits, radix: 16) {
                text.append(byte)
                place += 4
            } else {
                text.append(label[place])
                place += 1
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
